import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError, lookupErrno } from '@verbslab/protocol';
import { captureRecords, type CaptureHead, type CaptureRecord } from '@verbslab/roce';

/** The file is held in memory; larger ones belong in Wireshark. */
const MAX_FILE = 1 << 30;

/** A capture file whose packets are read again on each walk, so that millions of them need no memory. */
export interface CaptureFile {
  readonly head: CaptureHead;
  readonly packets: number;
  readonly firstNs: bigint;
  readonly records: () => Iterable<CaptureRecord>;
}

export function load(path: string): CaptureFile {
  let bytes: Uint8Array;
  try {
    const fd = openSync(path, 'r');
    try {
      const stat = fstatSync(fd);
      if (stat.isDirectory()) throw new Error('it is a folder');
      if (stat.size > MAX_FILE) throw new Error('it is larger than 1 GiB; cut it with editcap first');
      // Plain bytes: a Buffer would turn itself into a list of numbers in JSON.
      const file = readFileSync(fd);
      bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = (code === undefined ? undefined : lookupErrno(code)?.meaning) ?? message;
    throw new AppError('UNREADABLE_FILE', { path, detail }, { cause: error });
  }
  const { head, records } = captureRecords(bytes);
  let packets = 0;
  let firstNs = 0n;
  for (const { timeNs } of records) if (packets++ === 0) firstNs = timeNs;
  if (head.format === 'unknown') {
    throw new AppError('UNREADABLE_FILE', {
      path,
      detail: head.error?.message ?? 'it is not a capture file',
    });
  }
  return { head, packets, firstNs, records: () => captureRecords(bytes).records };
}
