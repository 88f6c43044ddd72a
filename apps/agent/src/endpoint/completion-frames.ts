import {
  COMPLETION_FIELDS,
  encodeCompletions,
  FRAME_FLAGS,
  type CompletionColumns,
} from '@verbslab/protocol';
import { RECORD_WORDS, type CompletionRing } from '@verbslab/verbs';

/** Records of one frame at most: 512 KiB. */
const FRAME_RECORDS = 16_384;
/** Largest `dt` of a frame, with room to spare: it has 32 bits. */
const MAX_SPAN_NS = 4_000_000_000;

/** Words of a ring record, see CompletionRing.read. */
const WORD = { tLow: 0, tHigh: 1, wrId: 2, batch: 3, qpn: 4, meta: 5, byteLen: 6, latency: 7 } as const;

/** Turns a ring's records into frames. Keeps count of what the ring dropped. */
export class CompletionFrames {
  #droppedBefore = 0;

  constructor(
    readonly ring: CompletionRing,
    readonly source: number,
    /** A CLOCK_MONOTONIC time on the run's clock. */
    readonly at: (monotonicNs: bigint) => number,
  ) {}

  /** The next frame, or null when nothing is there. */
  next(flags = 0): Uint8Array | null {
    const words = this.ring.read(FRAME_RECORDS);
    const count = words.length / RECORD_WORDS;
    const lost = this.ring.dropped - this.#droppedBefore;
    if (count === 0 && lost === 0 && flags === 0) return null;
    this.#droppedBefore += lost;
    const base = count === 0 ? process.hrtime.bigint() : timeOf(words, 0);
    return encodeCompletions(
      {
        source: this.source,
        t: this.at(base),
        dropped: lost,
        flags: flags | (this.#droppedBefore > 0 ? FRAME_FLAGS.sampled : 0),
      },
      columnsOf(words, count, Number(base & 0xffff_ffffn)),
    );
  }
}

const timeOf = (words: Uint32Array, index: number): bigint =>
  (BigInt(words[index * RECORD_WORDS + WORD.tHigh] as number) << 32n) |
  BigInt(words[index * RECORD_WORDS + WORD.tLow] as number);

function columnsOf(words: Uint32Array, count: number, baseLow: number): CompletionColumns {
  const columns = {} as CompletionColumns;
  for (const field of COMPLETION_FIELDS) columns[field] = new Uint32Array(count);
  const { dt, latency, wrId, qpn, meta, byteLen, batch } = columns;
  let last = 0;
  for (let index = 0, at = 0; index < count; index++, at += RECORD_WORDS) {
    // Both are modulo 2^32, so their difference is right as long as a frame spans less than that; a record
    // beyond (a loop that completes once in seconds) gets the longest time there is.
    const elapsed = ((words[at + WORD.tLow] as number) - baseLow) >>> 0;
    last = elapsed >= last ? elapsed : MAX_SPAN_NS;
    dt[index] = last;
    latency[index] = words[at + WORD.latency] as number;
    wrId[index] = words[at + WORD.wrId] as number;
    qpn[index] = words[at + WORD.qpn] as number;
    meta[index] = words[at + WORD.meta] as number;
    byteLen[index] = words[at + WORD.byteLen] as number;
    batch[index] = words[at + WORD.batch] as number;
  }
  return columns;
}
