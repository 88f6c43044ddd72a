import { readCapture } from '../capture/read.js';
import { analyze } from './analyze.js';
import { summarizeCapture } from './capture-summary.js';
import { packetRows } from './rows.js';
import type { AnalysisOptions, DecodedFile } from './types.js';
import type { DecodeOptions } from '../base/types.js';

/**
 * Reads a capture file (pcap or pcapng) and lists its packets. Every row has its summary columns;
 * `decodePacket(row.data, row.linkType)` gives the fields of a row. Never throws: a damaged file gives the packets before the damage, and
 * `error` gives the place. Lists the first `options.limit` packets (default MAX_RECORDS); `capture.omitted` counts the
 * rest.
 */
export function decodeFile(
  bytes: Uint8Array,
  options: DecodeOptions & AnalysisOptions & { limit?: number } = {},
): DecodedFile {
  const { records, ...capture } = readCapture(bytes, options.limit);
  const packets = packetRows(records, options);
  const analysis = analyze(packets, options);
  return {
    capture,
    packets,
    analysis,
    summary: summarizeCapture(analysis),
    ...(capture.error ? { error: capture.error } : {}),
  };
}
