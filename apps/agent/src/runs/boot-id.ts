import { readFileSync } from 'node:fs';

let known: string | null | undefined;

/** Names the time since this machine was started, in which CLOCK_MONOTONIC counts on. Null where the kernel does not say. */
export function bootId(): string | null {
  if (known !== undefined) return known;
  try {
    known = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    known = null;
  }
  return known;
}
