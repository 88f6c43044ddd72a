/** What earlier starts of the virtual machines took on this host, as a hint for the next one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Starts that are kept. */
const KEPT = 5;

const zStarts = z.array(z.int().min(0));

const fileIn = (home: string): string => join(home, 'vm-starts.json');

/** ms that each took, the latest last. None where the file is missing or damaged. */
export function earlierStarts(home: string): number[] {
  try {
    return zStarts.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')));
  } catch {
    return [];
  }
}

/** Keeps what a start took, ms. A disk that is full costs the hint only. */
export function keepStart(home: string, took: number): void {
  const starts = [...earlierStarts(home), took].slice(-KEPT);
  try {
    writeFileSync(fileIn(home), JSON.stringify(starts), { mode: 0o600 });
  } catch {
    // The next start shows the usual time instead.
  }
}
