import { MAX_FILE } from './file-bytes';

/** A file as it is without compression, and where its compressed data breaks off. */
export interface Unpacked {
  file: Blob;
  damage?: string;
}

/** Bytes that are in memory before they become a part of a file, which the browser may keep on the disk. */
const PIECE = 2 ** 24;

/** What comes before damage counts, as in a capture that is not compressed. Rejects where the file is too large. */
export async function unpack(file: Blob, most: number = MAX_FILE): Promise<Unpacked> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return { file };
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let [length, pending] = [0, 0];
  const whole = () => new Blob([...pieces, ...parts]);
  for (;;) {
    let part: Uint8Array<ArrayBuffer> | undefined;
    try {
      part = (await reader.read()).value;
    } catch (e) {
      return { file: whole(), damage: e instanceof Error ? e.message : String(e) };
    }
    if (!part) return { file: whole() };
    length += part.length;
    pending += part.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('It unpacks to more than 1 GiB. Unpack it, and cut it with editcap.');
    }
    parts.push(part);
    if (pending < PIECE) continue;
    pieces.push(new Blob(parts));
    [parts, pending] = [[], 0];
  }
}
