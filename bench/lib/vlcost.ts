// Costs of objects of the embedded device, measured by vlcost, into which the device is preloaded.
import { spawn } from 'node:child_process';
import { urocePath, vlcostPath } from '@verbslab/native';
import { collect } from './process.js';
import type { Link } from './vlloop.js';

async function vlcost<T>(options: readonly string[], link?: Link): Promise<T> {
  const env = { ...process.env, LD_PRELOAD: urocePath };
  const child = spawn(vlcostPath, options, {
    env: link === undefined ? env : { ...env, UROCE_LINK: link },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout } = await collect(child, `vlcost ${options.join(' ')}`);
  return JSON.parse(stdout) as T;
}

/** Microseconds of each run, the same pages locked by one and then the other. */
export interface Registration {
  mlockUs: number[];
  munlockUs: number[];
  regUs: number[];
  deregUs: number[];
}
export const registration = (bytes: number, runs: number) =>
  vlcost<Registration>(['registration', String(bytes), String(runs)]);

/** Medians in microseconds; resident memory of a connected queue pair; the share of one core that all of them take idle. */
export interface QueuePairs {
  createUs: number;
  connectUs: number;
  destroyUs: number;
  bytesPerQp: number;
  idleCpu: number;
}
export const queuePairs = (count: number, seconds: number) =>
  vlcost<QueuePairs>(['queue-pairs', String(count), String(seconds)]);

/** Microseconds; medians of the parts, and of the whole. */
export interface Connections {
  resolveUs: number;
  createQpUs: number;
  connectUs: number;
  p50Us: number;
  p99Us: number;
}
export const connections = (count: number) =>
  vlcost<Connections>(['connections', '127.0.0.1', String(count)]);

/** The median from the write to an eventfd until the process that slept on it runs, microseconds. */
export interface WakeUps {
  wakeUpUs: number;
}
export const wakeUps = (count: number, perSecond: number) =>
  vlcost<WakeUps>(['wake-ups', String(count), String(perSecond)]);

/**
 * Bytes that each process wrote in the same seconds; packets that all of them sent a second time, which a receiver that
 * was not scheduled for longer than the timeout causes too; packets that arrived behind a gap, as after a loss.
 */
export interface Senders {
  bytes: number[];
  retransmitted: number;
  outOfSequence: number;
}
export const senders = (count: number, seconds: number, link: Link) =>
  vlcost<Senders>(['senders', String(count), String(seconds)], link);
