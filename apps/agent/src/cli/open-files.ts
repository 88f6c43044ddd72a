import { readFileSync } from 'node:fs';
import { ERRORS } from '@verbslab/protocol/error-codes';

/** Node opens the modules of the command side by side: with fewer files, it ends in the middle of that. */
const NEEDED = 400;

/**
 * False, with the reason on stderr, when this process may open too few files. To be asked before anything else is
 * loaded.
 */
export function mayOpenFiles(): boolean {
  let limit: number;
  try {
    limit = Number(
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity,
    );
  } catch {
    return true;
  }
  if (limit >= NEEDED) return true;
  const { message, cure } = ERRORS.OPEN_FILES;
  const text = message.replace('{limit}', String(limit)).replace('{needed}', String(NEEDED));
  process.stderr.write(`error: ${text}\n  ${cure}\n`);
  return false;
}
