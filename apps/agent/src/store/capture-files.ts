import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@verbslab/protocol';
import { captureRecords } from '@verbslab/roce';
import type { Home } from '../config/home.js';
import { SORTING } from './capture-order.js';

/** Name of a run's capture file, from the run's id alone, so that a data directory can be moved. */
export const captureName = (id: string): string => `${id}.pcapng`;
export const capturePath = (home: Home, id: string): string => join(home.captures, captureName(id));

const NAME = /^([0-9a-z]{10})\.pcapng$/;

/** Ids of the runs with captures in the folder. Files of other names are left alone. */
export function capturedRuns(home: Home): string[] {
  if (!existsSync(home.captures)) return [];
  return readdirSync(home.captures).flatMap((name) => NAME.exec(name)?.[1] ?? []);
}

/** Removes files of an agent that was killed while it sorted a capture. */
export function removeLeftOvers({ captures }: Home): void {
  if (!existsSync(captures)) return;
  for (const name of readdirSync(captures))
    if (name.endsWith(SORTING)) rmSync(join(captures, name), { force: true });
}

/** Counts the packets of a killed agent's capture; null if nothing can be read. */
export function countCapture(path: string): NonNullable<RunRecord['capture']> | null {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch {
    return null;
  }
  const { head, records } = captureRecords(new Uint8Array(file.buffer, file.byteOffset, file.byteLength));
  const found = { packets: 0, bytes: 0, dropped: 0 };
  for (const { data } of records) {
    found.packets++;
    found.bytes += data.length;
  }
  return head.format === 'pcapng' ? found : null;
}
