/** Makes a message of a process under `verbslab exec`, byte by byte like native/uroce/feed. */
export function message(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt32LE(type, 4);
  return Buffer.concat([header, payload]);
}

export const note = (value: object): Buffer => message(1, Buffer.from(JSON.stringify(value)));

/** A hello whose `epoch` is 1 ms after the zero of the run’s clock, `clock`. */
export const hello = (clock: bigint, pid = 42): Buffer =>
  note({ type: 'hello', t: 0, version: 1, pid, program: 'test', epoch: String(clock + 1_000_000n) });

/** The note of an opened device. */
export const opened = note({ type: 'device', t: 1, name: 'uroce0', gids: ['::1'] });

/** A tick; what it does not give is zero. */
export const tick = (t: number, more: object = {}): Buffer =>
  note({
    ...{ type: 'tick', t, bytes: 0, messages: 0, voluntary: 0, involuntary: 0 },
    ...{ userNs: 0, systemNs: 0, nicUserNs: 0, nicKernelNs: 0, ...more },
  });

/** The last message of a process. */
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
