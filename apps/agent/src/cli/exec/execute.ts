import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { constants as os, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { AppError, callFailed, parsePlanned, toErrorInfo } from '@verbslab/protocol';
import { urocePath } from '@verbslab/native';
import { firstExecutable, onPath } from '../../config/executable.js';
import { makeExecFolder } from '../../program/feed-folders.js';
import { INHERITED, planOutput, terminalOutputs, type OutputPlan } from '../../program/output-pipe.js';
import { OutputRelay } from '../../program/output-relay.js';
import { Registration, type RegisteredProgram, type RegistrationEvents } from '../../program/registration.js';
import { injectedIntoProgram, plannedFaults, readWords } from '../planned-faults.js';
import { printNote } from '../terminal.js';
import { callLinesFile, launch, readLauncher } from './confined.js';
import { draftsIn, printDrafts, summaryOf, systemLibraryIn } from './ended.js';
import { environment, faulty, type ExecOptions } from './options.js';

/** The program as execvp would find it; null when there is none. */
const findProgram = (program: string): string | null =>
  firstExecutable(program.includes('/') ? [resolve(program)] : onPath(program));

/** A cancelled program gets SIGTERM, and SIGKILL this much later. */
const KILL_AFTER_MS = 3_000;
/** The exit code of a shell for a program that cannot be executed. */
const CANNOT_START = 126;

const say = (text: string): void => printNote(`verbslab: ${text}`);

/** The program runs whether or not it can be registered, unless it is to join a run or begins with faults. */
async function register(
  program: RegisteredProgram,
  events: RegistrationEvents,
): Promise<Registration | null> {
  try {
    return await Registration.begin(program, events);
  } catch (error) {
    if (program.with !== undefined || program.faults) throw error;
    const { message, cure } = toErrorInfo(error);
    say(`This program is not shown in the dashboard: ${message} ${cure}`);
    return null;
  }
}

/** The program runs whether or not its output can be recorded. */
async function pipesFor(folder: string, terminal: readonly ('stdout' | 'stderr')[]): Promise<OutputPlan> {
  try {
    return await planOutput(folder, terminal);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    say(`The output of the program is not recorded: no pipe in ${folder} (${code ?? message}).`);
    return INHERITED;
  }
}

/** Runs a program with the embedded device and ends as it ended: same exit code, same signal. */
export async function execute(program: string, args: string[], options: ExecOptions): Promise<void> {
  if (!existsSync(urocePath)) throw new AppError('NO_EMBEDDED_DEVICE', { path: urocePath });
  const path = findProgram(program);
  if (!path) throw new AppError('NO_PROGRAM', { program });
  if (options.with !== undefined && !options.agent)
    throw new AppError('USAGE', {
      detail: '--with and --no-agent contradict each other',
      hint: 'Leave one of them out.',
    });
  const stray = readWords(() => (options.faults ?? []).map(parsePlanned)).find(
    ({ endpoint = '1' }) => !/^[1-9]\d{0,3}$/.test(endpoint),
  );
  if (stray)
    throw new AppError('USAGE', {
      detail: `“endpoint=${stray.endpoint}” is not valid`,
      hint: 'Give the number of a process, such as endpoint=2 for the second that opens the device.',
    });
  if (faulty(options) && !options.agent)
    throw new AppError('USAGE', {
      detail: '--faults and --no-agent contradict each other',
      hint: 'Leave one of them out.',
    });
  // The folder holds the program's socket and the device's files. Without it there are neither, but the program runs.
  const folder = await makeExecFolder().catch((error: NodeJS.ErrnoException) => {
    say(
      `No folder in ${tmpdir()} (${error.code ?? error.message}). The program runs without the device’s files.`,
    );
    return undefined;
  });
  let end: NodeJS.Signals | number;
  try {
    end = await executeIn(folder?.path, path, program, args, options);
  } finally {
    folder?.remove();
  }
  process.exitCode = typeof end === 'number' ? end : 128 + os.signals[end];
  if (typeof end === 'string') process.kill(process.pid, end);
}

async function executeIn(
  folder: string | undefined,
  path: string,
  program: string,
  args: string[],
  options: ExecOptions,
): Promise<NodeJS.Signals | number> {
  // Wrong options are refused before there is a run.
  const own = environment(options, folder);
  let child: ChildProcess | null = null;
  let killer: NodeJS.Timeout | undefined;
  // A signal from before the start of the program is passed on to it, too.
  let early: NodeJS.Signals | null = null;
  const forward = (signal: NodeJS.Signals): void => {
    if (child) child.kill(signal);
    else early = signal;
  };
  const end = (why: string): void => {
    say(`${why}; sending SIGTERM to the program.`);
    forward('SIGTERM');
    killer = setTimeout(() => forward('SIGKILL'), KILL_AFTER_MS);
  };
  const terminal = options.keepOutput ? [] : terminalOutputs();
  const registration =
    options.agent && folder !== undefined
      ? await register(
          {
            command: [program, ...args],
            options: options.given,
            folder,
            terminal,
            ...(options.with === undefined ? {} : { with: options.with }),
            ...(faulty(options)
              ? {
                  faults: (client, address) =>
                    plannedFaults(options, (name) => injectedIntoProgram(client, address, name)),
                }
              : {}),
            stuckAfter: options.stuckAfter > 0 ? options.stuckAfter * 1e9 : null,
            ...(options.confine === undefined ? {} : { lines: callLinesFile(options.confine) }),
          },
          {
            onStuck: say,
            onStop: () => end('The run was cancelled in the dashboard'),
            onLost: (reason) =>
              options.bound
                ? end(`The agent is gone (${reason})`)
                : say(`The dashboard no longer shows this program: ${reason}. The program keeps running.`),
          },
        )
      : null;
  // The agent that starts a program shows the page by itself.
  if (registration && !options.bound && options.confine === undefined)
    say(`Run ${registration.number}: ${registration.page}`);
  const output = registration && folder !== undefined ? await pipesFor(folder, terminal) : INHERITED;
  const relays = output.pipes.map(
    (pipe) => new OutputRelay(pipe, (bytes) => registration?.output.add(pipe.stream, bytes)),
  );
  // A Ctrl-C at the terminal reaches the program by itself; a signal to this process alone is passed on.
  const interrupt = (): void => {
    if (!process.stdin.isTTY) forward('SIGINT');
  };
  // The handlers are set before the program begins: a signal in between would end this process and leave the program
  // behind.
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const;
  for (const signal of forwarded) process.on(signal, forward);
  process.on('SIGINT', interrupt);
  if (options.report !== undefined && folder !== undefined) mkdirSync(draftsIn(folder), { mode: 0o700 });
  const env = { ...own, ...registration?.environment };
  const launched =
    options.confine === undefined
      ? { path, args, argv0: program }
      : launch(readLauncher(options.confine), env.UROCE_FEED, [path, ...args]);
  const started = spawn(launched.path, launched.args, {
    ...{ stdio: ['inherit', ...output.stdio], env },
    ...(launched.argv0 === undefined ? {} : { argv0: launched.argv0 }),
  });
  child = started;
  if (early !== null) started.kill(early);
  for (const relay of relays) relay.started();
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, reject) => {
    started.once('error', (error: NodeJS.ErrnoException) => {
      const failure = callFailed('SYSTEM', `start of ${program}`, error.code ?? error.message);
      const relayed = relays.map((relay) => relay.finish(false));
      void Promise.all([...relayed, Promise.resolve(registration?.end(CANNOT_START, null))]).then(() =>
        reject(failure),
      );
    });
    started.once('exit', (exitCode, exitSignal) => done([exitCode, exitSignal]));
  });
  clearTimeout(killer);
  if (options.report !== undefined && folder !== undefined) printDrafts(folder);
  await Promise.all(relays.map((relay) => relay.finish(signal !== null)));
  for (const name of forwarded) process.off(name, forward);
  process.off('SIGINT', interrupt);
  const run = await registration?.end(code, signal, folder === undefined ? null : systemLibraryIn(folder));
  if (registration?.stuck) say(registration.stuck);
  // Problems are printed for scripts, too.
  if (run && (options.summary || isatty(2) || (run.result?.problems ?? 0) > 0))
    say(summaryOf(run, registration!.page));
  return signal ?? code ?? 1;
}
