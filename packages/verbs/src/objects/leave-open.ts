import { isMainThread } from 'node:worker_threads';
import type { Closable } from './children.js';

/** Most open objects that are kept from garbage collection. A program that makes more relies on collection. */
const MAX_KEPT = 1000;

const watched =
  isMainThread && (process.env['UROCE_FEED'] !== undefined || process.env['UROCE_REPORT'] !== undefined);

const kept = new Set<Closable>();
let listening = false;

/**
 * Lets a device that reports on the program (`verbslab exec`) see which objects the program forgets to close. Otherwise
 * it would see none: the garbage collector destroys dropped objects, and Node destroys the rest when the process ends.
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
