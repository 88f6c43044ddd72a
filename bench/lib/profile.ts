// CPU time of a running program by symbol, by perf: shares of all samples.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended } from './process.js';

export interface Profile {
  /** Share of the samples of each symbol, 0 to 1, largest first; `kernel` as perf reports it. */
  symbols: { name: string; kernel: boolean; share: number }[];
}

/** The reason why perf cannot be used here; undefined if it can. */
export function noPerf(): string | undefined {
  const { error, status, stderr } = spawnSync('perf', ['record', '-o', '/dev/null', '-q', 'true'], {
    encoding: 'utf8',
  });
  if (error) return 'perf is not installed (Debian: linux-perf)';
  return status === 0 ? undefined : `perf cannot record: ${stderr.trim().split('\n')[0]}`;
}

/** Samples the process, threads included, for `seconds`. */
export async function profile(pid: number, seconds: number): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'verbslab-profile-'));
  const data = join(folder, 'perf.data');
  try {
    const record = spawn(
      'perf',
      ['record', '-q', '-F', '1999', '-o', data, '-p', String(pid), '--', 'sleep', String(seconds)],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    record.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await ended(record);
    const report = spawnSync(
      'perf',
      ['report', '-i', data, '--no-children', '--sort', 'symbol', '--stdio', '-q'],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const symbols = [...report.stdout.matchAll(/^\s*([\d.]+)%\s+\[(.)\]\s+(.+?)(?:\s+-)*\s*$/gm)].map(
      ([, share, kind, name]) => ({
        name: name as string,
        kernel: kind === 'k',
        share: Number(share) / 100,
      }),
    );
    if (symbols.length === 0) throw new Error(`perf saw nothing: ${said}${report.stderr}`);
    return { symbols };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
