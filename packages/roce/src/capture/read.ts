import { u32 } from '../bytes.js';
import type { Capture, CaptureHead, CaptureRecord } from '../types.js';
import { isPcap, readPcap } from './read-pcap.js';
import { Block, readPcapng } from './read-pcapng.js';
import { Corrupt } from './reader.js';

/**
 * Packets that are kept of one file unless the caller says otherwise. An object each costs about 1 KB with its
 * row, so a file of tiny packets would need thirty times its own size.
 */
export const MAX_RECORDS = 500_000;

/**
 * Reads a capture file, pcap or pcapng, either byte order, packet by packet: memory does not grow with their
 * number. Never throws. `head` is filled on the way and whole when the last packet has been taken. A truncated or
 * damaged file gives what comes before the damage, and `head.error` says where it is and what is wrong. Packets are
 * views into `bytes`.
 */
export function captureRecords(bytes: Uint8Array): { head: CaptureHead; records: Iterable<CaptureRecord> } {
  const head: CaptureHead = { format: 'unknown', littleEndian: true, interfaces: [], comments: [] };
  return { head, records: records(bytes, head) };
}

function* records(bytes: Uint8Array, head: CaptureHead): Generator<CaptureRecord, void> {
  try {
    if (bytes.length < 4) throw new Corrupt(0, `${bytes.length} bytes are too few for a capture file`);
    const magic = u32(bytes, 0);
    if (magic === Block.SECTION) yield* readPcapng(bytes, head);
    else if (isPcap(magic)) yield* readPcap(bytes, magic, head);
    else
      throw new Corrupt(
        0,
        `this is neither pcap nor pcapng (it begins with 0x${magic.toString(16).padStart(8, '0')})`,
      );
  } catch (e) {
    if (!(e instanceof Corrupt)) throw e;
    head.error = e.toError();
  }
}

/** The first `limit` packets of a file as a list; `omitted` counts the rest. Never throws, as `captureRecords`. */
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
