import { availableParallelism } from 'node:os';
import { readFileSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';
import { newToken } from '../config/token.js';
import { chooseAccel } from './accel.js';
import { follow, isReady, launch, type VmStep } from './boot.js';
import { prepareKernel } from './kernel.js';
import { DEFAULT_MEMORY, DEFAULT_MTU, l2Address, vmName } from './machine.js';
import type { VmsFolder } from './paths.js';
import { freePorts } from './ports.js';
import { end, isAlive } from './process.js';
import { checkRequirements } from './requirements.js';
import { readState, removeState, writeState, type Vm, type VmsState } from './state.js';

export interface UpOptions {
  /** Number of machines. Default: that of the existing ones, else two. */
  count?: number;
  cpus?: number;
  memory?: number;
  mtu?: number;
  /** `auto` tries KVM and falls back to software emulation. */
  accel: 'auto' | 'kvm' | 'tcg';
  /** Seconds for a machine to become ready. */
  timeout: number;
  signal: AbortSignal;
  /** Called with each step before the machines start, in words. */
  say: (text: string) => void;
  onStep: (name: string, step: VmStep) => void;
}

export const DEFAULT_COUNT = 2;
export const DEFAULT_TIMEOUT_S = 180;
/**
 * MiB that a ready and idle machine touches, with some margin; the host has the rest of its memory until the machine
 * uses it.
 */
export const TOUCHED = 450;

/** MiB that the host can give to new programs. */
export function availableMemory(): number {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Math.floor(Number(available ?? 0) / 1024);
}

/** Default number of CPUs of each machine. */
export const defaultCpus = (count: number): number =>
  Math.min(4, Math.max(1, Math.floor(availableParallelism() / count)));

function checkMemory(count: number): void {
  const fit = Math.floor(availableMemory() / TOUCHED);
  if (count > fit) throw new AppError('VMS_MEMORY', { count, fit, needed: count * TOUCHED });
}

async function newState(options: UpOptions, kernel: string, accel: 'kvm' | 'tcg'): Promise<VmsState> {
  const count = options.count ?? DEFAULT_COUNT;
  const ports = await freePorts(2 * count);
  const vms = Array.from({ length: count }, (_, index): Vm => {
    const door = (port: number) => ({ address: '127.0.0.1', port, token: newToken() });
    return {
      name: vmName(index),
      index,
      pid: 0,
      startTime: '',
      startedAt: 0,
      agent: { ...door(ports[2 * index]!), fingerprint: '' },
      exec: door(ports[2 * index + 1]!),
      ...l2Address(index),
    };
  });
  return {
    version: 1,
    accel,
    kernel,
    cpus: options.cpus ?? defaultCpus(count),
    memory: options.memory ?? DEFAULT_MEMORY,
    mtu: options.mtu ?? DEFAULT_MTU,
    vms,
  };
}

/** Refuses options that differ from the running machines, which cannot be changed. */
function checkSame(state: VmsState, options: UpOptions): void {
  const asked = { count: options.count, cpus: options.cpus, memory: options.memory, mtu: options.mtu };
  const have = { count: state.vms.length, cpus: state.cpus, memory: state.memory, mtu: state.mtu };
  for (const key of ['count', 'cpus', 'memory', 'mtu'] as const) {
    const value = asked[key];
    if (value !== undefined && value !== have[key])
      throw new AppError('VMS_DIFFERENT', { what: key, have: have[key], asked: value });
  }
}

/**
 * Starts all machines and returns them. Machines that run and answer are left alone; the others are started again with
 * the same ports and tokens. On a failure or cancellation, the machines that this call started are ended.
 */
export async function up(folder: VmsFolder, options: UpOptions): Promise<VmsState> {
  const { signal } = options;
  checkRequirements();
  const before = readState(folder);
  if (before) checkSame(before, options);
  const broken: Vm[] = [];
  for (const vm of before?.vms ?? []) if (!isAlive(vm) || !(await isReady(vm))) broken.push(vm);
  if (before && broken.length === 0) return before;
  checkMemory(before ? broken.length : (options.count ?? DEFAULT_COUNT));
  const kernel = await prepareKernel(options.say, signal);
  const accel =
    before?.accel ??
    (options.accel === 'auto' ? await chooseAccel(kernel, options.say, signal) : options.accel);
  const state = before ?? (await newState(options, kernel.version, accel));
  const starting = before ? broken : state.vms;
  try {
    for (const vm of starting) {
      await end(vm); // The machine may run without answering.
      writeState(folder, state);
      await launch(folder, kernel, state, vm);
      writeState(folder, state);
    }
    // A machine that fails ends the wait for the others.
    const failed = new AbortController();
    await Promise.all(
      starting.map((vm) =>
        follow(folder, vm, {
          patience: options.timeout * 1000,
          signal: AbortSignal.any([signal, failed.signal]),
          onStep: (step) => options.onStep(vm.name, step),
        }).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      ),
    );
    return state;
  } catch (error) {
    await Promise.all(starting.map(end));
    if (!before) removeState(folder);
    signal.throwIfAborted();
    throw error;
  }
}
