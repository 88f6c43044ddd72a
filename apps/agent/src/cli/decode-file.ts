import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError, lookupErrno } from '@verbslab/protocol';
import {
  captureRecords,
  Gunzip,
  isGzip,
  isSupported,
  linkTypeText,
  type CaptureHead,
  type CaptureRecord,
} from '@verbslab/roce';

/** Largest file, bytes. Files are held in memory; larger ones belong in Wireshark. */
const MAX_FILE = 1 << 30;
const TOO_LARGE = 'it is larger than 1 GiB; cut it with editcap first';
const UNPACKS_TOO_LARGE = 'it unpacks to more than 1 GiB; unpack it and cut it with editcap first';
/** Name for standard input, as in other programs. */
const STANDARD_INPUT = '-';

/** A capture file. Each walk reads the packets again, so that millions of them need no memory. */
export interface CaptureFile {
  readonly head: CaptureHead;
  readonly packets: number;
  readonly firstNs: bigint;
  readonly records: () => Iterable<CaptureRecord>;
}

/** Reads a stream, up to the limit. Returns plain bytes: JSON would turn a Buffer into a list of numbers. */
async function all(stream: AsyncIterable<Buffer>, tooLarge: string): Promise<Uint8Array> {
  const kept = new Kept(tooLarge);
  for await (const chunk of stream) kept.add(chunk);
  return kept.bytes();
}

class Kept {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(readonly tooLarge: string) {}

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > MAX_FILE) throw new Error(this.tooLarge);
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks.splice(0)) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

/** Unpacks a file. Bytes before the damage count, as in a capture that is not compressed. */
function unpacked(packed: Uint8Array): { bytes: Uint8Array; damage?: string } {
  const kept = new Kept(UNPACKS_TOO_LARGE);
  const gunzip = new Gunzip((bytes) => kept.add(bytes));
  gunzip.push(packed);
  const damage = gunzip.end();
  return { bytes: kept.bytes(), ...(damage === undefined ? {} : { damage }) };
}

function whole(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw new Error('it is a folder');
    if (stat.size > MAX_FILE) throw new Error(TOO_LARGE);
    const file = readFileSync(fd);
    return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  } finally {
    closeSync(fd);
  }
}

async function read(path: string): Promise<{ bytes: Uint8Array; damage?: string }> {
  try {
    const bytes = path === STANDARD_INPUT ? await all(process.stdin, TOO_LARGE) : whole(path);
    return isGzip(bytes) ? unpacked(bytes) : { bytes };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = (code === undefined ? undefined : lookupErrno(code)?.meaning) ?? message;
    throw new AppError('UNREADABLE_FILE', { path: nameOf(path), detail }, { cause: error });
  }
}

/** The name of the file in messages. */
export const nameOf = (path: string): string => (path === STANDARD_INPUT ? 'standard input' : path);

export async function load(path: string): Promise<CaptureFile> {
  const { bytes, damage } = await read(path);
  const { head, records } = captureRecords(bytes);
  let packets = 0;
  let supported = 0;
  let firstNs = 0n;
  let last = 0;
  for (const { timeNs, linkType } of records) {
    if (packets++ === 0) firstNs = timeNs;
    if (isSupported((last = linkType))) supported++;
  }
  const unreadable = (detail: string) => new AppError('UNREADABLE_FILE', { path: nameOf(path), detail });
  if (head.format === 'unknown') throw unreadable(head.error?.message ?? 'it is not a capture file');
  if (packets > 0 && supported === 0)
    throw unreadable(
      `its ${linkTypeText(last)} is not supported; capture on an Ethernet interface, or on "any"`,
    );
  if (damage !== undefined)
    head.error = { offset: bytes.length, message: `the gzip data breaks off here (${damage})` };
  return { head, packets, firstNs, records: () => captureRecords(bytes).records };
}
