import { isMainThread } from 'node:worker_threads';
import type { Closable } from './children.js';

/** Open objects that are kept from the garbage collector; a program that makes more relies on it. */
const MAX_KEPT = 1000;

const watched =
  isMainThread && (process.env['UROCE_FEED'] !== undefined || process.env['UROCE_REPORT'] !== undefined);

const kept = new Set<Closable>();
let listening = false;

/**
 * Lets a device that reports on the program (`verbslab exec`) see what it forgets to close. Without this, it would never see
 * any: the garbage collector destroys what was dropped, and Node destroys the rest as the process ends.
 */
export function leaveOpen<T extends Closable>(made: T): T {
  if (!watched) return made;
  if (!listening) {
    listening = true;
    // Ends the process without destroying anything first.
    process.on('exit', (code) => process.exit(code));
  }
  if (kept.size >= MAX_KEPT) for (const one of kept) if (one.closed) kept.delete(one);
  if (kept.size < MAX_KEPT) kept.add(made);
  return made;
}
