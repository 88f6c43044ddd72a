import {
  COMPLETION_FIELDS,
  decodeCompletions,
  decodeHeader,
  decodeHistogram,
  decodePackets,
  decodeSeries,
  type RunRecord,
} from '@verbslab/protocol';
import type { StreamReader } from '../runs/stream-reader.js';

/** A binary frame as JSON: the same figures under the same names; bytes as base64, NaN as null. */
function frameToJson(frame: Buffer): unknown {
  const { kind, flags, seq, source, count, dropped, t } = decodeHeader(frame);
  const head = { seq, t, kind, source, flags, count, dropped };
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  switch (kind) {
    case 'series':
      return { ...head, records: decodeSeries(frame) };
    case 'histogram':
      return { ...head, hdrV2: base64(decodeHistogram(frame)) };
    case 'completions': {
      const columns = decodeCompletions(frame);
      return {
        ...head,
        columns: Object.fromEntries(COMPLETION_FIELDS.map((field) => [field, [...columns[field]]])),
      };
    }
    case 'packets':
      return {
        ...head,
        packets: decodePackets(frame).map((packet) => ({ ...packet, bytes: base64(packet.bytes) })),
      };
  }
}

/** Grows when a reader of the file would have to change. */
const EXPORT_FORMAT = 1;

/** A run with its whole stream as one JSON object, an event a line, piece by piece: it may be larger than memory. */
export function* exportRun(run: RunRecord, reader: StreamReader): Generator<string> {
  yield `{"format":${EXPORT_FORMAT},"run":${JSON.stringify(run)},\n"events":[`;
  let separator = '\n';
  for (let item = reader.next(); item; item = reader.next()) {
    if (item.seq === 0) continue;
    yield separator + (item.json ?? JSON.stringify(frameToJson(item.frame!)));
    separator = ',\n';
  }
  yield '\n]}\n';
}
