/** The two messages that agree on a transfer, least significant byte first. Pure functions. */

/** RTS: what waits at the sender. CTS: where it may go at the receiver. */
export interface Control {
  tag: number;
  length: number;
  addr: string;
  rkey: number;
}

/** {tag u32, rkey u32, length u64, addr u64} */
export const CONTROL_BYTES = 24;

export function encodeControl({ tag, length, addr, rkey }: Control): Uint8Array {
  const view = new DataView(new ArrayBuffer(CONTROL_BYTES));
  view.setUint32(0, tag, true);
  view.setUint32(4, rkey, true);
  view.setBigUint64(8, BigInt(length), true);
  view.setBigUint64(16, BigInt(addr), true);
  return new Uint8Array(view.buffer);
}

export function decodeControl(bytes: Uint8Array): Control {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    tag: view.getUint32(0, true),
    rkey: view.getUint32(4, true),
    length: Number(view.getBigUint64(8, true)),
    addr: `0x${view.getBigUint64(16, true).toString(16)}`,
  };
}
