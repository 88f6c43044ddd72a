import { Gunzip, isGzip } from '@verbslab/roce';
import { MAX_FILE } from './file-bytes';

/** An uncompressed file, and the damage if its compressed data breaks off. */
export interface Unpacked {
  file: Blob;
  damage?: string;
}

/** Bytes collected in memory before they become part of a file, which the browser may keep on disk. */
const PIECE = 2 ** 24;

/** Decompresses a file. Data before damage is kept, as in an uncompressed capture. Rejects if the file is too large. */
export async function unpack(file: Blob, most: number = MAX_FILE): Promise<Unpacked> {
  if (!isGzip(new Uint8Array(await file.slice(0, 2).arrayBuffer()))) return { file };
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let [length, pending] = [0, 0];
  const gunzip = new Gunzip((part) => {
    length += part.length;
    pending += part.length;
    if (length > most) throw new Error('It unpacks to more than 1 GiB. Unpack it, and cut it with editcap.');
    parts.push(part);
    if (pending < PIECE) return;
    pieces.push(new Blob(parts));
    [parts, pending] = [[], 0];
  });
  const reader = file.stream().getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) gunzip.push(read.value);
  } finally {
    // The stream may not have ended.
    await reader.cancel();
  }
  const damage = gunzip.end();
  return { file: new Blob([...pieces, ...parts]), ...(damage === undefined ? {} : { damage }) };
}
