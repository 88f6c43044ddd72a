/** Durations of earlier starts of the virtual machines on this host, as a hint for the next one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Starts that are kept. */
const KEPT = 5;

const zStarts = z.array(z.int().min(0));

const fileIn = (home: string): string => join(home, 'vm-starts.json');

/** Durations of the starts, ms, the latest last. Empty if the file is missing or damaged. */
export function earlierStarts(home: string): number[] {
  try {
    return zStarts.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')));
  } catch {
    return [];
  }
}

/** Keeps the duration of a start, ms. On a full disk only the hint is lost. */
export function keepStart(home: string, took: number): void {
  const starts = [...earlierStarts(home), took].slice(-KEPT);
  try {
    writeFileSync(fileIn(home), JSON.stringify(starts), { mode: 0o600 });
  } catch {
    // The next start shows the usual time instead.
  }
}
