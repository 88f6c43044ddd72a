// A measurement with vlloop: a server and a client process on this host, over the embedded device or sockets.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { urocePath, vlloopPath } from '@verbslab/native';
import { collect, freePort } from './process.js';

export interface LoopFigures {
  goodputGbps: number;
  messagesPerSecond: number;
  latencyUs: { min: number; mean: number; p50: number; p99: number };
  cpuSeconds: { app: number; nic: number; kernel: number };
  cpuSecondsPerGB: { app: number; nic: number; kernel: number };
  bytes: number;
  seconds: number;
}

/** Figures of both ends. One-sided operations move no byte that their target counts. */
export interface BothEnds {
  client: LoopFigures;
  server: LoopFigures;
}

export type Transport = 'rdma' | 'tcp' | 'udp';

/** Link between processes of one host: sockets or shared memory (`UROCE_LINK`). */
export type Link = 'udp' | 'shm';

/** Resolves when the server says that it listens. */
async function listening(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('listening')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`vlloop server ended with ${code}: ${said}`)));
  });
}

export interface LoopSetup {
  /** The server's options, if they are more than those that the client sends. */
  serverOptions?: readonly string[];
  /** The device of both ends, for RDMA. */
  library?: string;
  /** Link of both ends; the device's own choice unless it is given. */
  link?: Link;
  /** Called with each line that the server prints to stderr. */
  said?: (line: string) => void;
  /** Called once both run. */
  started?: (pids: { client: number; server: number }) => void;
}

/**
 * Runs one measurement and returns the client's figures; `options` are the client's, in the format of `vlloop --help`.
 */
export async function vlloop(
  transport: Transport,
  options: readonly string[],
  setup?: LoopSetup,
): Promise<LoopFigures> {
  return (await vlloopBoth(transport, options, setup)).client;
}

/** Runs one measurement and returns the figures of both ends. */
export async function vlloopBoth(
  transport: Transport,
  options: readonly string[],
  { serverOptions = [], library: device = urocePath, link, said: heard, started }: LoopSetup = {},
): Promise<BothEnds> {
  const port = String(await freePort());
  const library = transport === 'rdma' ? ['--lib', device] : [];
  const env = link === undefined ? process.env : { ...process.env, UROCE_LINK: link };
  const server = spawn(vlloopPath, [transport, ...library, '-p', port, ...serverOptions], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  if (heard !== undefined) createInterface({ input: server.stderr }).on('line', heard);
  const finished = collect(server, `vlloop ${transport} server`);
  finished.catch(() => undefined); // what the client says comes first
  try {
    await listening(server);
    const client = spawn(vlloopPath, [transport, ...library, '-p', port, ...options, '127.0.0.1'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    if (client.pid !== undefined && server.pid !== undefined)
      started?.({ client: client.pid, server: server.pid });
    const { stdout } = await collect(client, `vlloop ${transport} ${options.join(' ')}`);
    const { stdout: said } = await finished;
    return { client: JSON.parse(stdout) as LoopFigures, server: JSON.parse(said) as LoopFigures };
  } finally {
    server.kill('SIGKILL');
  }
}
