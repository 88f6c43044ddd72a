/**
 * A chunk is a stretch of a run’s stream as one blob: a head of 8 bytes (u32 mark, u32 format, little-endian; chunks of
 * the first version have none and begin with an item), then items one after the other, each with a header of 8 bytes
 * (u32 kind: 0 JSON event, 1 binary frame; u32 length; little-endian) and padded to a multiple of 8, so that
 * columns of a frame stay aligned. Sequence numbers count up by one from the chunk’s first.
 */
/** “VBCH”. No item begins so: its kind is 0 or 1. */
const CHUNK_MARK = 0x48434256;
export const CHUNK_FORMAT = 1;
const CHUNK_HEAD = 8;
const ITEM_HEADER = 8;
const PADDING = Buffer.alloc(8);

export interface ChunkItem {
  frame: boolean;
  bytes: Buffer;
}

export function encodeChunk(items: readonly ChunkItem[]): Buffer {
  const head = Buffer.allocUnsafe(CHUNK_HEAD);
  head.writeUInt32LE(CHUNK_MARK, 0);
  head.writeUInt32LE(CHUNK_FORMAT, 4);
  const parts: Buffer[] = [head];
  for (const { frame, bytes } of items) {
    const header = Buffer.allocUnsafe(ITEM_HEADER);
    header.writeUInt32LE(frame ? 1 : 0, 0);
    header.writeUInt32LE(bytes.length, 4);
    parts.push(header, bytes);
    const rest = bytes.length % 8;
    if (rest !== 0) parts.push(PADDING.subarray(rest));
  }
  return Buffer.concat(parts);
}

/**
 * The items of a chunk, by index. An item is decoded only on access, because a chunk may hold tens of thousands.
 */
export interface ChunkItems {
  readonly length: number;
  /** A view of the chunk’s own bytes. */
  at(index: number): ChunkItem;
}

/** Opens a chunk. Throws on a blob that is not a chunk. */
export function openChunk(chunk: Buffer): ChunkItems {
  const starts = itemStarts(chunk);
  return {
    length: starts.length,
    at(index) {
      const start = starts[index]!;
      const from = start + ITEM_HEADER;
      const length = chunk.readUInt32LE(start + 4);
      return { frame: chunk.readUInt32LE(start) === 1, bytes: chunk.subarray(from, from + length) };
    },
  };
}

function itemStarts(chunk: Buffer): number[] {
  const starts: number[] = [];
  let at = 0;
  if (chunk.length >= CHUNK_HEAD && chunk.readUInt32LE(0) === CHUNK_MARK) {
    const format = chunk.readUInt32LE(4);
    if (format !== CHUNK_FORMAT)
      throw new Error(`chunk has format ${format}, and this version reads formats up to ${CHUNK_FORMAT}`);
    at = CHUNK_HEAD;
  }
  while (at < chunk.length) {
    if (chunk.length - at < ITEM_HEADER) throw new Error('chunk ends inside an item’s header');
    const kind = chunk.readUInt32LE(at);
    const length = chunk.readUInt32LE(at + 4);
    if (kind > 1 || length > chunk.length - at - ITEM_HEADER)
      throw new Error('chunk holds an item that does not fit');
    starts.push(at);
    at += ITEM_HEADER + ((length + 7) & ~7);
  }
  return starts;
}
