import { readFileSync } from 'node:fs';

let known: string | null | undefined;

/**
 * Boot id of the kernel, shared by all containers on it and new after each boot (random(4)): CLOCK_MONOTONIC values
 * compare only within one. Null if unreadable.
 */
export function bootId(): string | null {
  if (known !== undefined) return known;
  try {
    known = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    known = null;
  }
  return known;
}
