import { u32 } from '../bytes.js';
import type { Capture } from '../types.js';
import { isPcap, readPcap } from './read-pcap.js';
import { Block, readPcapng } from './read-pcapng.js';
import { Corrupt } from './reader.js';

/**
 * Reads a capture file, pcap or pcapng, either byte order. Never throws: a truncated or damaged file gives what
 * stands before the damage, and `error` says where it is and what is wrong. Packets are views into `bytes`.
 */
export function readCapture(bytes: Uint8Array): Capture {
  const capture: Capture = {
    format: 'unknown',
    littleEndian: true,
    interfaces: [],
    records: [],
    comments: [],
  };
  try {
    if (bytes.length < 4) throw new Corrupt(0, `${bytes.length} bytes are too few for a capture file`);
    const magic = u32(bytes, 0);
    if (magic === Block.SECTION) readPcapng(bytes, capture);
    else if (isPcap(magic)) readPcap(bytes, magic, capture);
    else
      throw new Corrupt(
        0,
        `this is neither pcap nor pcapng (it begins with 0x${magic.toString(16).padStart(8, '0')})`,
      );
  } catch (e) {
    if (!(e instanceof Corrupt)) throw e;
    capture.error = e.toError();
  }
  return capture;
}
