// A single run of a command on the device, without an agent: what its processes report, and how it ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, callFailed, type PlannedFaults } from '@verbslab/protocol';
import { urocePath } from '@verbslab/native';
import { makeExecFolder } from '../../program/feed-folders.js';
import { CommandFaults } from '../../program/command-faults.js';
import { FeedServer } from '../../program/feed-server.js';
import { WorkTally } from '../../program/work-tally.js';
import { draftsIn, systemLibraryIn } from '../exec/ended.js';
import { environment, type ExecOptions } from '../exec/options.js';
import type { Plan } from './plan.js';
import { processReports, type ProcessReport } from './process-report.js';

export interface Attempt {
  /** When it began, ISO 8601. */
  beganAt: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  /** True if `verbslab test` itself was told to end, and passed that on. */
  interrupted: boolean;
  seconds: number;
  /** The last of its output, of both streams. */
  output: string;
  /** Processes that opened the device, by their IDs. */
  processes: ProcessReport[];
  /** The system’s library that a process loaded by name, which does not know the device. */
  systemLibrary: string | null;
}

export interface AttemptOptions {
  /** Settings of the device, as for `verbslab exec`. */
  device: Pick<ExecOptions, 'addr' | 'netdev' | 'link' | 'pcap' | 'strictMemlock'>;
  /** Time after which the command is ended, s; 0: never. */
  timeout: number;
  faults: Plan;
  /** Where the output of the command goes. */
  show: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

const KEPT_OUTPUT = 64 * 1024;
/** A command that was told to end gets SIGKILL this much later, ms. */
const KILL_AFTER_MS = 5_000;
/** Time for processes that the command has left behind, ms. */
const LEFT_BEHIND_MS = 2_000;
const LOOK_MS = 20;
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The feed injects faults. What else it tells is in the reports. */
const faultsOf = (folder: string, plan: readonly PlannedFaults[]): Promise<FeedServer> => {
  let sources = 0;
  const none = (): void => undefined;
  return FeedServer.open(
    folder,
    process.hrtime.bigint(),
    {
      ...{ event: none, frame: none, finding: none, standstill: none, work: new WorkTally() },
      newSource: () => ++sources,
    },
    new CommandFaults(plan),
  );
};

/** Sends a signal to the processes of the command. False: none is left. */
function tellGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid!, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** Runs the command once. Its processes are a group of their own, which ends with it. */
export async function attempt(
  [program, ...args]: readonly [string, ...string[]],
  { device, timeout, faults, show }: AttemptOptions,
): Promise<Attempt> {
  if (!existsSync(urocePath)) throw new AppError('NO_EMBEDDED_DEVICE', { path: urocePath });
  const folder = await makeExecFolder().catch((error: NodeJS.ErrnoException) => {
    throw callFailed('SYSTEM', 'mkdtemp', error.code ?? error.message);
  });
  let feed: FeedServer | null = null;
  try {
    if (faults.packets.length > 0) feed = await faultsOf(folder.path, faults.packets);
    const reports = draftsIn(folder.path);
    mkdirSync(reports, { mode: 0o700 });
    const exec: ExecOptions = {
      ...{ ...device, report: `json:${join(reports, '%p.json')}`, callFaults: faults.calls },
      ...{ agent: false, stuckAfter: 0, given: [] },
    };
    const env = { ...environment(exec, folder.path), ...feed?.environment };
    const [beganAt, began] = [new Date().toISOString(), performance.now()];
    const child = spawn(program, args, { env, stdio: ['inherit', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = new TextDecoder();
      child[stream].on('data', (bytes: Buffer) => {
        output = (output + text.decode(bytes, { stream: true })).slice(-KEPT_OUTPUT);
        show(stream, bytes);
      });
    }
    let interrupted = false;
    const passOn = (signal: NodeJS.Signals): void => {
      interrupted = true;
      tellGroup(child, signal);
    };
    for (const signal of PASSED_ON) process.on(signal, passOn);
    let timedOut = false;
    const timers: NodeJS.Timeout[] = [];
    const endAfter = (ms: number, late: () => void = () => undefined): void => {
      timers.push(
        setTimeout(() => {
          late();
          tellGroup(child, 'SIGTERM');
        }, ms),
        setTimeout(() => tellGroup(child, 'SIGKILL'), ms + KILL_AFTER_MS),
      );
    };
    if (timeout > 0) endAfter(timeout * 1000, () => (timedOut = true));
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ENOENT'
            ? new AppError('NO_PROGRAM', { program })
            : callFailed('SYSTEM', `start of ${program}`, error.code ?? error.message),
        ),
      );
      // A process that the command leaves behind may hold its output open.
      child.once('exit', () => endAfter(LEFT_BEHIND_MS));
      child.once('close', (exitCode, exitSignal) => done([exitCode, exitSignal]));
    }).finally(() => {
      for (const one of PASSED_ON) process.off(one, passOn);
    });
    // A zombie stays in the group until its parent reaps it, which may be never.
    const patience = performance.now() + LEFT_BEHIND_MS + 2 * KILL_AFTER_MS;
    while (tellGroup(child, 0) && performance.now() < patience) await sleep(LOOK_MS);
    timers.forEach(clearTimeout);
    const seconds = (performance.now() - began) / 1000;
    await feed?.close();
    feed = null;
    const [processes, systemLibrary] = [await processReports(reports), systemLibraryIn(folder.path)];
    return { beganAt, code, signal, timedOut, interrupted, seconds, output, processes, systemLibrary };
  } finally {
    await feed?.close();
    folder.remove();
  }
}
