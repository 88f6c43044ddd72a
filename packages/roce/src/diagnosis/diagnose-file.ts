import { eachRecord } from '../capture/read.js';
import { Diagnoser } from './diagnoser.js';
import type { DiagnoseOptions } from './diagnoser.js';
import type { Diagnosis } from './types.js';

/**
 * Diagnoses a capture file, packet by packet. Never throws: a damaged file gives a diagnosis of the packets before
 * the damage, and `error` gives the place of the damage.
 */
export function diagnoseFile(bytes: Uint8Array, options: DiagnoseOptions = {}): Diagnosis {
  const diagnoser = new Diagnoser(options);
  const head = eachRecord(bytes, (record) => {
    const { data, captured, linkType, original, direction, interfaceId, bitsPerSecond } = record;
    diagnoser.packet({
      data: bytes.subarray(data, data + captured),
      linkType,
      originalLength: original,
      t: record.sinceFirst(),
      direction,
      interfaceId,
      bitsPerSecond,
    });
  });
  return diagnoser.finish(head.error);
}
