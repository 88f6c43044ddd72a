import { deflateSync } from 'node:zlib';

const COMPRESSED_COOKIE = 0x1c849304 | 0x10;

/**
 * The compressed V2 form of a histogram that a loop reported, as HdrHistogram's log files and
 * `hdr-histogram-js` (`decodeFromCompressedBase64`, after base64) read it.
 */
export function compressHistogram(histogram: Uint8Array): Uint8Array {
  const payload = deflateSync(histogram);
  const out = new Uint8Array(8 + payload.length);
  const view = new DataView(out.buffer);
  view.setInt32(0, COMPRESSED_COOKIE);
  view.setInt32(4, payload.length);
  out.set(payload, 8);
  return out;
}
