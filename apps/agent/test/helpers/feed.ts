/** Messages of a process under `verbslab exec`, written byte by byte as native/uroce/feed does it. */
export function message(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt32LE(type, 4);
  return Buffer.concat([header, payload]);
}

export const note = (value: object): Buffer => message(1, Buffer.from(JSON.stringify(value)));

/** `epoch` is the run’s clock + 1 ms when the clock reads `clock`. */
export const hello = (clock: bigint, pid = 42): Buffer =>
  note({ type: 'hello', t: 0, version: 1, pid, program: 'test', epoch: String(clock + 1_000_000n) });

/** What a process reports last. */
export const farewell = (t: number): Buffer => note({ type: 'report', t, report: { findings: [] } });

export function detail(dropped: number, records: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(dropped));
  return Buffer.concat([head, ...records]);
}

export function completion(t: number, wrId: bigint, status = 0): Buffer {
  const record = Buffer.alloc(40);
  record.writeBigUInt64LE(BigInt(t), 0);
  record.writeBigUInt64LE(wrId, 8);
  record.writeUInt32LE(0x11, 16);
  record.writeUInt32LE(status << 8, 20);
  record.writeUInt32LE(4096, 24);
  record.writeUInt32LE(1500, 32);
  record.writeUInt32LE(1, 36);
  return record;
}

export function packet(t: number, seq: number, bytes: Buffer, origLen = bytes.length): Buffer {
  const head = Buffer.alloc(24);
  head.writeBigUInt64LE(BigInt(t), 0);
  head.writeUInt32LE(seq, 8);
  head.writeUInt32LE(origLen, 12);
  head.writeUInt32LE(bytes.length, 16);
  head.writeUInt16LE(1, 20);
  const whole = Buffer.concat([head, bytes]);
  return Buffer.concat([whole, Buffer.alloc((8 - (whole.length % 8)) % 8)]);
}
