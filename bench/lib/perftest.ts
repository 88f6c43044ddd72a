// A measurement with a perftest program, server and client on the embedded device.
import { spawn, type StdioOptions } from 'node:child_process';
import { urocePath } from '@verbslab/native';
import { collect, ended, freePort } from './process.js';
import type { Link } from './vlloop.js';

const preloaded = { ...process.env, LD_PRELOAD: urocePath };

/** Columns of a row, the message size being the first. Bandwidth as --report_gbits has it; latency is half a round trip. */
const COLUMNS = { averageGbps: 3, millionMessages: 4, typicalUs: 4, p99Us: 7 } as const;
export type PerftestFigure = keyof typeof COLUMNS;

export interface PerftestSetup {
  /** The command that each end is started by, the device preloaded: for pinning both to the first core, say. */
  under?: readonly string[];
  /** Environment instead of the one that preloads the device. */
  env?: NodeJS.ProcessEnv;
  /** Link of both ends; the device's own choice unless it is given. */
  link?: Link;
}

/** A figure of the row that the client prints. */
export async function perftest(
  program: string,
  options: readonly string[],
  figure: PerftestFigure,
  { under = [], env = preloaded, link }: PerftestSetup = {},
): Promise<number> {
  const start = (args: readonly string[], stdio: StdioOptions) => {
    const [command, ...rest] = [...under, program, ...args];
    const linked = link === undefined ? env : { ...env, UROCE_LINK: link };
    return spawn(command as string, rest, { env: linked, stdio });
  };
  const port = String(await freePort());
  const common = ['-p', port, '-x', '1', '-F', ...options];
  // The listening socket is the only sign that the server is ready; the client is started again until it connects.
  const server = start(common, ['ignore', 'ignore', 'inherit']);
  try {
    for (let attempt = 0; ; attempt++) {
      const client = start([...common, '127.0.0.1'], ['ignore', 'pipe', 'pipe']);
      try {
        const { stdout } = await collect(client, `${program} ${options.join(' ')}`);
        await ended(server);
        const row = stdout.split('\n').find((line) => /^\s*\d+\s+\d+\s+[\d.]/.test(line));
        if (!row) throw new Error(`${program} printed no figures:\n${stdout}`);
        return Number(row.trim().split(/\s+/)[COLUMNS[figure]]);
      } catch (error) {
        if (attempt > 50 || !/Couldn't connect|refused/.test(String(error))) throw error;
      }
    }
  } finally {
    server.kill('SIGKILL');
  }
}
