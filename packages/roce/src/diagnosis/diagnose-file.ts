import { captureRecords } from '../capture/read.js';
import { Diagnoser } from './diagnoser.js';
import type { DiagnoseOptions } from './diagnoser.js';
import type { Diagnosis } from './types.js';

/**
 * Diagnoses a capture file, packet by packet. Never throws: a damaged file gives a diagnosis of the packets before
 * the damage, and `error` says where that is.
 */
export function diagnoseFile(bytes: Uint8Array, options: DiagnoseOptions = {}): Diagnosis {
  const { head, records } = captureRecords(bytes);
  const diagnoser = new Diagnoser(options);
  let first: bigint | undefined;
  for (const { data, linkType, originalLength, timeNs, direction } of records) {
    first ??= timeNs;
    diagnoser.packet({ data, linkType, originalLength, t: Number(timeNs - first), direction });
  }
  return diagnoser.finish(head.error);
}
