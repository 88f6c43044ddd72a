import { readFileSync } from 'node:fs';
import { errorInfo, type ErrorInfo } from '@verbslab/protocol';
import { z } from 'zod';

const zVerdict = z.object({
  /** True if the program had its own network namespace. */
  network: z.boolean(),
  stopped: z
    .enum(['time', 'cpu', 'memory', 'memory-files', 'files', 'fork', 'socket', 'path', 'device'])
    .optional(),
  call: z.string().optional(),
  path: z.string().optional(),
  limit: z.number().optional(),
  /** System calls that failed because no program needs them. */
  tried: z.array(z.string()).optional(),
});
export type Verdict = z.infer<typeof zVerdict>;

/** Reads the launcher's verdict; null if the launcher was killed before it wrote one. */
export function readVerdict(path: string): Verdict | null {
  try {
    return zVerdict.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** The reason for which the launcher stopped the program; null if it did not. */
export function stoppedBy(verdict: Verdict | null): ErrorInfo | null {
  if (!verdict?.stopped) return null;
  const { stopped, call, path, limit } = verdict;
  switch (stopped) {
    case 'time':
      return errorInfo('PROGRAM_STOPPED_TIME', { seconds: limit, what: 'running time' });
    case 'cpu':
      return errorInfo('PROGRAM_STOPPED_TIME', { seconds: limit, what: 'CPU time' });
    case 'memory':
      return errorInfo('PROGRAM_STOPPED_MEMORY', { limit });
    case 'memory-files':
      return errorInfo('PROGRAM_STOPPED_MEMORY_FILES', { limit, call });
    case 'files':
      return errorInfo('PROGRAM_STOPPED_FILES_SIZE', { limit });
    case 'fork':
      return errorInfo('PROGRAM_STOPPED_FORK', { call });
    case 'socket':
      return errorInfo('PROGRAM_STOPPED_SOCKET', { call });
    case 'path':
      return errorInfo('PROGRAM_STOPPED_PATH', { path, call });
    case 'device':
      return errorInfo('PROGRAM_STOPPED_DEVICE');
  }
}

/** Text for the log of the run about system calls that failed; null if none did. */
export function triedBy(verdict: Verdict | null): string | null {
  if (!verdict?.tried) return null;
  return `The program tried to call ${verdict.tried.join(', ')}, which the workbench refuses, so the call failed. Use verbs and the C library’s files, memory, threads and time.`;
}
