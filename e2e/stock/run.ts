/** Runs real RDMA programs on the embedded device (LD_PRELOAD of liburoce.so), alone or as server and client. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The library under test: UROCE_LIB, or the result of the build. */
export const library: string = (() => {
  const candidates = [process.env['UROCE_LIB'], join(root, 'native/build/Release/liburoce.so')];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error('liburoce.so is not built; run `npm run setup`, or set UROCE_LIB');
  return found;
})();

export const cli = join(root, 'apps/agent/bin/verbslab.js');

/** True if the program is on PATH. */
export function installed(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, program)));
}

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** True: drop root to the user `nobody`. */
  ordinaryUser?: boolean;
  /**
   * Run through `verbslab exec`, with these options, instead of only preloading the library. `exec` also provides the
   * device's files.
   */
  exec?: boolean | readonly string[];
  /** With `exec`: the home of an agent that records the program. */
  home?: string;
  cwd?: string;
  timeoutMs?: number;
}

/** A program that runs; `finished` settles when it has ended and its output is read. */
export interface Running {
  child: ChildProcess;
  finished: Promise<Outcome>;
  /** Returns the output so far. */
  printed: () => string;
}

/** Starts a program on the device. A program that exceeds its time is killed, which shows as its signal. */
export function start(program: string, args: readonly string[], options: RunOptions = {}): Running {
  const asNobody = options.ordinaryUser === true && process.getuid?.() === 0;
  // setpriv itself must not be preloaded into: it drops the user id on the way.
  const command = [
    ...(asNobody ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []),
    ...(options.exec
      ? [
          process.execPath,
          cli,
          'exec',
          ...(options.home === undefined ? ['--no-agent'] : []),
          ...(options.exec === true ? [] : options.exec),
          '--',
        ]
      : ['env', `LD_PRELOAD=${library}`]),
    program,
    ...args,
  ];
  const child = spawn(command[0]!, command.slice(1), {
    env: {
      ...process.env,
      ...(options.home === undefined ? {} : { VERBSLAB_HOME: options.home, NO_COLOR: '1' }),
      ...options.env,
    },
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 240_000,
    // `exec` passes SIGTERM on; killed, it would leave the program behind.
    killSignal: options.exec ? 'SIGTERM' : 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const finished = new Promise<Outcome>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => done({ code, signal, output }));
  });
  return { child, finished, printed: () => output };
}

/**
 * Last port used. Below the ports that the kernel gives to clients (from 32,768), which may be taken without a
 * listener.
 */
let lastPort = 20_000 + (process.pid % 10_000);
/** Returns a TCP port for the programs' own exchange, not used before in this run. */
export function nextPort(): number {
  do {
    lastPort += 1;
  } while (listening(lastPort));
  return lastPort;
}

/** Returns true if a process listens on this TCP port. */
export function listening(port: number): boolean {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((file) => {
    if (!existsSync(file)) return false;
    return readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => line.includes(wanted) && / 0A /.test(line) && line.indexOf(wanted) < 30);
  });
}

/** Resolves when `ready` returns true. Rejects if the program ends before, or after `timeoutMs`. */
async function until(
  running: Running,
  what: string,
  ready: () => boolean,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!ready()) {
    if (running.child.exitCode !== null || running.child.signalCode !== null) {
      throw new Error(`the program ended before it ${what}:\n${(await running.finished).output}`);
    }
    if (Date.now() > deadline) throw new Error(`the program has not ${what} in time`);
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

/** Resolves when the server listens. Rejects if it ends before, or does not listen in time. */
export function untilListening(server: Running, port: number): Promise<void> {
  return until(server, 'listened', () => listening(port));
}

/** Resolves when the server has printed the text; rejects as `untilListening`. */
export function untilPrinted(server: Running, text: string): Promise<void> {
  return until(server, `printed "${text}"`, () => server.printed().includes(text));
}

/** Port spaces of the connection manager. */
export const TCP_SPACE = 0x106;
export const UDP_SPACE = 0x111;

/** Returns true if a process has bound this port of the connection manager. */
export function boundInCm(port: number, space = TCP_SPACE): boolean {
  return (
    existsSync('/proc/net/unix') &&
    readFileSync('/proc/net/unix', 'utf8').includes(`.ps${String(space)}.${String(port)}\n`)
  );
}

/** Resolves when a process has bound the port; rejects as `untilListening`. */
export function untilBoundInCm(server: Running, port: number, space = TCP_SPACE): Promise<void> {
  return until(server, 'listened', () => boundInCm(port, space));
}

/** Resolves when a process on this host has joined the IPv4 multicast group; rejects as `untilListening`. */
export function untilJoined(receiver: Running, group: string): Promise<void> {
  const address = group
    .split('.')
    .reverse()
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  const socket = ` ${address}:${(4791).toString(16).toUpperCase()} `;
  return until(receiver, 'joined', () => readFileSync('/proc/net/udp', 'utf8').includes(socket));
}

export interface PairOutcome {
  server: Outcome;
  client: Outcome;
}

/** Runs server and client as two processes on one host and one address, with the same arguments. */
export async function pair(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<PairOutcome> {
  const port = nextPort();
  const all = ['-p', String(port), ...args];
  const server = start(program, all, options);
  await untilListening(server, port);
  const client = start(program, [...all, '127.0.0.1'], options);
  const [s, c] = await Promise.all([server.finished, client.finished]);
  return { server: s, client: c };
}

/** Sign that a server is ready for its client: a bound port, or a multicast group that it joined. */
export type Ready = { port: number; space: number } | { group: string };

/**
 * Runs server and client that meet through the connection manager; `{port}` in their arguments is a port of this pair
 * alone.
 */
export async function cmPair(
  server: readonly string[],
  client: readonly string[],
  options: RunOptions & { ready?: Ready } = {},
): Promise<PairOutcome> {
  const port = nextPort();
  const withPort = (words: readonly string[]) => words.map((word) => word.replace('{port}', String(port)));
  const [serverProgram = '', ...serverArgs] = withPort(server);
  const [clientProgram = '', ...clientArgs] = withPort(client);
  const running = start(serverProgram, serverArgs, options);
  const ready = options.ready ?? { port, space: TCP_SPACE };
  if ('group' in ready) await untilJoined(running, ready.group);
  else await untilBoundInCm(running, ready.port, ready.space);
  const other = start(clientProgram, clientArgs, options);
  const [s, c] = await Promise.all([running.finished, other.finished]);
  return { server: s, client: c };
}

/** Runs a helper (tshark, python3) and returns its output. */
export function helper(program: string, args: readonly string[], input?: string): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    ...(input === undefined ? {} : { input }),
  });
}

/** Functions that a library exports, with the version of each. */
export const exported = (path: string): { name: string; version: string }[] =>
  helper('nm', ['-D', '--defined-only', path])
    .split('\n')
    .flatMap((line) => {
      const [, name, version = ''] = /^\S+ [TW] ([^@]+)(?:@@?(.+))?$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, version }];
    });
