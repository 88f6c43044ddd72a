import type { Capture, CaptureHead, CaptureRecord } from './types.js';
import type { RecordCursor } from './cursor.js';
import { isPcap, PcapCursor } from './read-pcap.js';
import { Block, PcapngCursor } from './read-pcapng.js';
import { Corrupt, FileReader } from './reader.js';
import type { ByteSource } from './reader.js';

/**
 * Packets that are kept of one file by default. An object per packet costs about 1 KB with its row, so a file of tiny
 * packets would need thirty times its own size.
 */
export const MAX_RECORDS = 500_000;

/** First bytes of compressed files: number of bits, their value, and the name of the program. */
const COMPRESSED: readonly [bits: number, value: number, name: string][] = [
  [16, 0x1f8b, 'gzip'],
  [32, 0x28b52ffd, 'zstd'],
  [32, 0x04224d18, 'lz4'],
  [32, 0xfd377a58, 'xz'],
  [24, 0x425a68, 'bzip2'],
];

const emptyHead = (): CaptureHead => ({
  format: 'unknown',
  littleEndian: true,
  interfaces: [],
  comments: [],
});

function open(bytes: Uint8Array | ByteSource, head: CaptureHead): RecordCursor {
  if (bytes.length < 4) throw new Corrupt(0, `${bytes.length} bytes are too few for a capture file`);
  const magic = new FileReader(bytes, false).u32(0);
  if (magic === Block.SECTION) return new PcapngCursor(bytes, head);
  if (isPcap(magic)) return new PcapCursor(bytes, magic, head);
  const packed = COMPRESSED.find(([bits, value]) => magic >>> (32 - bits) === value);
  if (packed) throw new Corrupt(0, `this is compressed with ${packed[2]}; decompress it first`);
  throw new Corrupt(
    0,
    `this is neither pcap nor pcapng (it begins with 0x${magic.toString(16).padStart(8, '0')})`,
  );
}

/**
 * Shows each packet of a capture file (pcap or pcapng, either byte order) in the same object. Throws only errors of
 * `see`. A truncated or damaged file gives the packets before the damage, and `error` of the head gives the place and
 * the kind of damage.
 */
export function eachRecord(bytes: Uint8Array | ByteSource, see: (record: RecordCursor) => void): CaptureHead {
  const head = emptyHead();
  const cursor = guarded(head, () => open(bytes, head));
  if (!cursor) return head;
  const next = () => cursor.next();
  while (guarded(head, next)) see(cursor);
  return head;
}

/** Returns undefined where the file is damaged, and records the error in the head. */
function guarded<T>(head: CaptureHead, step: () => T): T | undefined {
  try {
    return step();
  } catch (e) {
    if (!(e instanceof Corrupt)) throw e;
    head.error = e.toError();
    return undefined;
  }
}

/**
 * Reads a capture file packet by packet: memory does not grow with the number of packets. Never throws. `head` fills
 * during the iteration and is complete after the last packet; `head.error` as in `eachRecord`. Packets are views into
 * `bytes`.
 */
export function captureRecords(bytes: Uint8Array): { head: CaptureHead; records: Iterable<CaptureRecord> } {
  const head = emptyHead();
  return { head, records: records(bytes, head) };
}

function* records(bytes: Uint8Array, head: CaptureHead): Generator<CaptureRecord, void> {
  const cursor = guarded(head, () => open(bytes, head));
  if (!cursor) return;
  const next = () => cursor.next();
  while (guarded(head, next)) yield cursor.record();
}

/** Returns the first `limit` packets of a file as a list; `omitted` counts the rest. Never throws. */
export function readCapture(bytes: Uint8Array, limit: number = MAX_RECORDS): Capture {
  const { head, records } = captureRecords(bytes);
  const kept: CaptureRecord[] = [];
  let omitted = 0;
  for (const record of records) {
    if (kept.length < limit) kept.push(record);
    else omitted++;
  }
  return { ...head, records: kept, omitted };
}
