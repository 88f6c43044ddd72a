import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { constants as os, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import {
  AppError,
  callFailed,
  CONGESTIONS,
  isFinal,
  parsePlanned,
  problemsText,
  RECOVERIES,
  toErrorInfo,
  type RunRecord,
} from '@verbslab/protocol';
import { urocePath, urocePathsPath } from '@verbslab/native';
import { Command, Option } from 'commander';
import { firstExecutable, onPath } from '../config/executable.js';
import { makeExecFolder } from '../program/feed-folders.js';
import { INHERITED, planOutput, terminalOutputs, type OutputPlan } from '../program/output-pipe.js';
import { OutputRelay } from '../program/output-relay.js';
import { Registration, type RegisteredProgram, type RegistrationEvents } from '../program/registration.js';
import { callLinesFile, confinedEnvironment, launch, readLauncher } from './exec-confined.js';
import { givenOptions } from './exec-given.js';
import { list, seconds } from './options.js';
import { injectedIntoProgram, plannedFaults, readWords } from './planned-faults.js';
import { printNote } from './terminal.js';

interface ExecOptions {
  pcap?: string;
  addr?: string;
  netdev?: string;
  link?: string;
  recovery?: string;
  congestion?: string;
  ackEvery?: string;
  ackDelay?: string;
  lineRate?: string;
  strictMemlock?: boolean;
  report?: string;
  keepOutput?: boolean;
  summary?: boolean;
  agent: boolean;
  with?: string;
  faults?: string[];
  faultRule?: string[];
  replayFaults?: string;
  bound?: boolean;
  confine?: string;
  stuckAfter: number;
}

/** The program as execvp would find it; null when there is none. */
const findProgram = (program: string): string | null =>
  firstExecutable(program.includes('/') ? [resolve(program)] : onPath(program));

const faulty = ({ faults, faultRule, replayFaults }: ExecOptions): boolean =>
  (faults ?? faultRule ?? replayFaults) !== undefined;

/** A cancelled program gets SIGTERM, and SIGKILL this much later. */
const KILL_AFTER_MS = 3_000;
/** The exit code of a shell for a program that cannot be executed. */
const CANNOT_START = 126;

function environment(
  options: ExecOptions,
  folder: string | undefined,
  registration: Registration | null,
): NodeJS.ProcessEnv {
  return {
    ...(options.confine === undefined ? process.env : confinedEnvironment(options.confine)),
    // The second library answers some calls for the first.
    LD_PRELOAD: [urocePathsPath, urocePath, process.env.LD_PRELOAD].filter(Boolean).join(':'),
    ...(options.confine === undefined ? { UROCE_PATHS: folder } : {}),
    ...(options.pcap === undefined ? {} : { UROCE_PCAP: resolve(options.pcap) }),
    ...(options.addr === undefined ? {} : { UROCE_ADDR: options.addr }),
    ...(options.netdev === undefined ? {} : { UROCE_NETDEV: options.netdev }),
    ...(options.link === undefined ? {} : { UROCE_LINK: options.link }),
    ...(options.recovery === undefined ? {} : { UROCE_RECOVERY: options.recovery }),
    ...(options.congestion === undefined ? {} : { UROCE_CONGESTION: options.congestion }),
    ...(options.lineRate === undefined ? {} : { UROCE_LINE_RATE: options.lineRate }),
    ...(options.ackEvery === undefined ? {} : { UROCE_ACK_EVERY: options.ackEvery }),
    ...(options.ackDelay === undefined ? {} : { UROCE_ACK_DELAY: options.ackDelay }),
    ...(options.strictMemlock ? { UROCE_STRICT_MEMLOCK: '1' } : {}),
    ...(options.report === undefined ? {} : { UROCE_REPORT: options.report }),
    UROCE_REPORT_DRAFTS: options.report === undefined ? undefined : folder && draftsIn(folder),
    // An inherited UROCE_FEED belongs to an outer `exec`.
    ...(options.agent ? {} : { UROCE_FEED: undefined }),
    ...registration?.environment,
  };
}

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
async function execute(
  program: string,
  args: string[],
  options: ExecOptions,
  given: readonly string[],
): Promise<void> {
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
    end = await executeIn(folder?.path, path, program, args, options, given);
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
  given: readonly string[],
): Promise<NodeJS.Signals | number> {
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
            options: given,
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
  const env = environment(options, folder, registration);
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

/** Folder for drafts of the reports of processes. Made before the program begins. */
const draftsIn = (folder: string): string => join(folder, 'reports');

/** Prints the reports of processes that were killed before they could. A process that still runs prints its own. */
function printDrafts(folder: string): void {
  const drafts = draftsIn(folder);
  const pids = readdirSync(drafts).filter((name) => /^\d+$/.test(name) && !existsSync(`/proc/${name}`));
  for (const pid of pids) process.stderr.write(readFileSync(join(drafts, pid)));
}

/**
 * The system's libibverbs or librdmacm that a process of the command loaded by name (native/uroce/paths/calls_load.cc).
 */
function systemLibraryIn(folder: string): string | null {
  const note = join(folder, 'system-library');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

function summaryOf({ number, state, result }: RunRecord, page: string): string {
  if (!isFinal(state)) return `Run ${number} continues: another command of it is still running.`;
  const problems = problemsText(result?.problems);
  const found = problems === '' ? '' : ` ${problems} found; see ${page} or verbslab runs show ${number}.`;
  return `Run ${number}: ${result?.answer ?? 'What the program did is unknown.'}${found}`;
}

/** For the agent, which starts programs of its fixed list: none may outlive the agent. */
const BOUND = new Option('--bound').hideHelp();

/** For the agent’s workbench: the launcher that the program is started by. */
const CONFINE = new Option('--confine <file>').hideHelp();

export function execCommand(): Command {
  return new Command('exec')
    .description('run an RDMA program, unchanged, on the embedded device')
    .argument('<program>', 'program that uses libibverbs')
    .argument('[args...]', 'its arguments')
    .option('--pcap <file>', 'write every packet to a pcapng file (%p becomes the process id)')
    .option('--addr <address>', 'IP address of the device (default: loopback, so nothing leaves the machine)')
    .option(
      '--netdev <interface>',
      'network interface: the device uses its first IPv4 and its link-local IPv6 address',
    )
    .addOption(
      new Option(
        '--link <way>',
        'path of packets: auto (default) uses shared memory between your processes on this host, and UDP otherwise; udp always goes through the kernel, where tcpdump -i lo sees packets; shm uses shared memory only',
      ).choices(['udp', 'shm', 'auto']),
    )
    .addOption(
      new Option(
        '--recovery <policy>',
        'what a loss costs: what follows it (go-back-n, default), the whole message, or the lost packet alone if the peer has selective-repeat too',
      ).choices(RECOVERIES),
    )
    .addOption(new Option('--congestion <policy>', 'congestion control: none (default)').choices(CONGESTIONS))
    .option('--line-rate <Gb/s>', 'rate from which DCQCN and TIMELY start (default: 10)')
    .option(
      '--ack-every <packets>',
      'a receiver acknowledges after so many packets, asked or not (default: 32, where the sender asks)',
    )
    .option('--ack-delay <us>', 'longest time that an ACK waits for a packet to leave with (default: 20)')
    .option('--strict-memlock', 'refuse to register memory beyond ulimit -l, as the kernel does')
    .addOption(
      new Option('--report [format]', 'when the program ends, list its misuse of verbs on stderr')
        .choices(['text', 'json'])
        .preset('text'),
    )
    .option(
      '--keep-output',
      'record output to a terminal too: the program then writes to a pipe instead of the terminal',
    )
    .option(
      '--summary',
      'when the program ends, print a line of figures on stderr even if it is not a terminal',
    )
    .option(
      '--with <run>',
      'add the command to a run in progress of another exec on this host (number or ID): one run, one clock',
    )
    .addOption(
      new Option(
        '--stuck-after <seconds>',
        'say on stderr what the program waits for after so long without progress (0: never)',
      )
        .argParser(seconds)
        .default(5),
    )
    .option('--faults <settings>', 'lose, delay or damage packets; can be repeated with at=2s', list)
    .option('--fault-rule <rule>', 'the same for certain packets, from the start; can be repeated', list)
    .option(
      '--replay-faults <run>',
      'inject what was injected into an earlier run, at the same times after each process opened the device',
    )
    .addOption(BOUND)
    .addOption(CONFINE)
    .option('--no-agent', 'do not show the program in the dashboard')
    .passThroughOptions()
    .usage('[options] -- <program> [args...]')
    .addHelpText(
      'after',
      `
The device is preloaded (LD_PRELOAD) and answers as libibverbs. It needs no root and no kernel module. Up to
4,095 processes may use one address at once and talk to each other. Exit code and signals are those of the
program.

While an agent runs (verbslab up), its dashboard shows the program as a run: objects, work requests,
completions, packets, counters, errors and output, live and kept in the history. Output to a terminal is
recorded only with --keep-output, since many programs check for a terminal. The address of the page is
printed on stderr. Showing a program slows it down somewhat. Use --no-agent to avoid that; without an agent
there is no such cost.

Server and client are two commands, so two runs. To have one run with both on one time axis, give the second
command --with and the number or ID of the first one's run. The run ends when its last command ends, and fails
if one of them fails. verbslab runs join does the same for runs that have ended.

When a request or a queue has made no progress for 5 s, a line on stderr says which one, since when, what it
waits for and what to do, once for each reason. The page of the run says the same, with more details.

--faults acts on the packets that the processes of this command send, from their first packet on. Times are
counted from when the first of them opens the device. With endpoint=2, for the second process of the run, they
are counted from when that one does, and so are all times of --replay-faults, with --with too. verbslab faults
--help describes the settings; with it, or on the page of the run, they can be changed while the program runs.
All of this needs an agent.

Examples:
  verbslab exec -- ibv_devinfo -v
  verbslab exec -- ibv_rc_pingpong -g 1                     the server, in one terminal
  verbslab exec -- ibv_rc_pingpong -g 1 127.0.0.1           the client, in another
  verbslab exec --with 12 -- ibv_rc_pingpong -g 1 127.0.0.1   the client, as part of run 12
  verbslab exec --pcap /tmp/rdma-%p.pcapng -- ib_write_bw -d uroce0 -x 1
  verbslab exec --no-agent -- ib_write_bw -d uroce0 -x 1    at full speed, with an agent running
  verbslab exec --link udp -- ib_write_lat -x 1             through the kernel: tcpdump -i lo sees it
  verbslab exec --report -- ./my_program                    leaks, bad posts, lost completions
  verbslab exec --faults loss=1%,seed=7 -- ib_write_bw -d uroce0 -x 1 127.0.0.1
  verbslab exec --replay-faults 12 -- ib_write_bw -d uroce0 -x 1 127.0.0.1
  verbslab exec --addr 127.0.0.2 -- ./my_program`,
    )
    .action((program: string, args: string[], options: ExecOptions, command: Command) =>
      execute(program, args, options, givenOptions(command)),
    );
}
