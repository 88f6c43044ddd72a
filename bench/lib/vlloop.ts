// One measurement with vlloop: a server and a client process on this host, over the embedded device or sockets.
import { spawn, type ChildProcess } from 'node:child_process';
import { urocePath, vlloopPath } from '@verbslab/native';
import { collect, ended, freePort } from './process.js';

export interface LoopFigures {
  goodputGbps: number;
  messagesPerSecond: number;
  latencyUs: { min: number; mean: number; p50: number; p99: number };
  cpuSecondsPerGB: { app: number; nic: number; kernel: number };
}

export type Transport = 'rdma' | 'tcp' | 'udp';

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

/** Runs one measurement; `options` are the client's, as `vlloop --help` has them. */
export async function vlloop(transport: Transport, options: readonly string[]): Promise<LoopFigures> {
  const port = String(await freePort());
  const library = transport === 'rdma' ? ['--lib', urocePath] : [];
  const server = spawn(vlloopPath, [transport, ...library, '-p', port], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    await listening(server);
    const client = spawn(vlloopPath, [transport, ...library, '-p', port, ...options, '127.0.0.1'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout } = await collect(client, `vlloop ${transport} ${options.join(' ')}`);
    await ended(server);
    return JSON.parse(stdout) as LoopFigures;
  } finally {
    server.kill('SIGKILL');
  }
}
