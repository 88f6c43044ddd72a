/** Encodes `count` samples of `ns` nanoseconds (below 2,048) in HdrHistogram's V2 encoding. */
export function encodedSamples(ns: number, count: number): Uint8Array {
  const payload: number[] = [];
  for (let raw of [2 * ns - 1, 2 * count]) {
    for (; raw >= 0x80; raw = Math.floor(raw / 128)) payload.push((raw % 128) | 0x80);
    payload.push(raw);
  }
  const bytes = new Uint8Array(40 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x1c849303 | 0x10);
  view.setUint32(4, payload.length);
  view.setUint32(12, 3);
  bytes.set(payload, 40);
  return bytes;
}
