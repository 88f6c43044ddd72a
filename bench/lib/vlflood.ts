// A flood that vlflood aims at the server of a vlloop, and what is left of its rate.
import { spawn, type ChildProcess } from 'node:child_process';
import { vlfloodPath } from '@verbslab/native';
import { collect } from './process.js';
import { vlloopBoth, type LoopFigures } from './vlloop.js';

export interface Flood {
  /** Packets per second. */
  rate: number;
  /** Mix of packets, by vlflood's names. */
  mix: 'header' | 'mixed';
  /** Set if the kernel drops the packets at an address that no device has: the cost of sending the flood. */
  sink?: boolean;
}

const DEVICE = '127.0.0.1';
const SINK = '127.0.0.9';

/** Measures a WRITE stream to a server with a flood from before the first message on; no flood: as it is alone. */
export async function flooded(
  flood: Flood | undefined,
  options: readonly string[],
  library: string,
  reached: (packetsPerSecond: number) => void,
): Promise<LoopFigures> {
  let running: { child: ChildProcess; done: Promise<{ stdout: string }> } | undefined;
  const aim = (line: string) => {
    const qpn = /queue pair (\d+)/.exec(line)?.[1];
    if (flood === undefined || qpn === undefined || running !== undefined) return;
    const { rate, mix, sink } = flood;
    const args = [sink ? SINK : DEVICE, qpn, String(rate), mix, ...(sink ? ['--sink'] : [])];
    const child = spawn(vlfloodPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = { child, done: collect(child, 'vlflood') };
    running.done.catch(() => undefined); // awaited below
  };
  try {
    const { client } = await vlloopBoth('rdma', options, {
      serverOptions: ['--show-qps'],
      library,
      said: aim,
    });
    if (flood === undefined) return client;
    if (running === undefined) throw new Error('vlloop named no queue pair to flood');
    running.child.kill('SIGTERM');
    const { packetsPerSecond } = JSON.parse((await running.done).stdout) as { packetsPerSecond: number };
    reached(packetsPerSecond);
    return client;
  } finally {
    running?.child.kill('SIGTERM');
  }
}
