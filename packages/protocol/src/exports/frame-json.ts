import {
  decodeCompletions,
  decodeHeader,
  decodeHistogram,
  decodePackets,
  decodeSeries,
} from '../decode-frames.js';
import { COMPLETION_FIELDS } from '../frames.js';
import { base64 } from './base64.js';

/** Converts a binary frame to JSON with the same figures and names; bytes become base64, NaN becomes null. */
export function frameToJson(frame: Uint8Array): unknown {
  const { kind, flags, seq, source, count, dropped, t } = decodeHeader(frame);
  const head = { seq, t, kind, source, flags, count, dropped };
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
