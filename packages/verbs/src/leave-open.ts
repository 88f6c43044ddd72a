import { isMainThread } from 'node:worker_threads';

let watched = false;

/**
 * Lets the device see what a program leaves open. Node destroys all native objects as the process ends, so to a device
 * that reports on the program (`verbslab exec`) nothing would ever be forgotten. `process.exit()` ends it without that.
 */
export function leaveOpen(): void {
  if (watched || !isMainThread) return;
  if (process.env['UROCE_FEED'] === undefined && process.env['UROCE_REPORT'] === undefined) return;
  watched = true;
  process.on('exit', (code) => process.exit(code));
}
