import { deflateSync } from 'node:zlib';

const COMPRESSED_COOKIE = 0x1c849304 | 0x10;

/**
 * Compresses a histogram of a loop to the V2 form. HdrHistogram's log files and `hdr-histogram-js`
 * (`decodeFromCompressedBase64`, after base64) read that form.
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
