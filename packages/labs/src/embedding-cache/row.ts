/** A row of the table: {row u32, version u32}, least significant byte first, and then its values. */
const HEADER = 8;

export interface Row {
  row: number;
  version: number;
}

const valueOf = ({ row, version }: Row, i: number): number => (row * 31 + version * 17 + i) & 0xff;

export function encodeRow(of: Row, bytes: number): Uint8Array {
  const out = Uint8Array.from({ length: bytes }, (_, i) => valueOf(of, i));
  const view = new DataView(out.buffer);
  view.setUint32(0, of.row, true);
  view.setUint32(4, of.version, true);
  return out;
}

/** Null if the values are not those of its row and version. */
export function decodeRow(bytes: Uint8Array): Row | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const of = { row: view.getUint32(0, true), version: view.getUint32(4, true) };
  for (let i = HEADER; i < bytes.length; i++) if (bytes[i] !== valueOf(of, i)) return null;
  return of;
}
