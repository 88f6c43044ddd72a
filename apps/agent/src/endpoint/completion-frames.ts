import {
  completionFrame,
  completionFrameBytes,
  FRAME_FLAGS,
  type CompletionColumns,
} from '@verbslab/protocol';
import { RECORD_WORDS, type CompletionRing } from '@verbslab/verbs';
import type { FrameMemory } from '../base/frame-memory.js';

/** Records of one frame at most: 512 KiB. */
const FRAME_RECORDS = 16_384;
/** Largest `dt` of a frame, with room to spare: it has 32 bits. */
const MAX_SPAN_NS = 4_000_000_000;

/** Words of a ring record, see CompletionRing.read. */
const WORD = { tLow: 0, tHigh: 1, wrId: 2, batch: 3, qpn: 4, meta: 5, byteLen: 6, latency: 7 } as const;

/** Turns a ring's records into frames. Counts what the ring dropped. */
export class CompletionFrames {
  #droppedBefore = 0;

  constructor(
    readonly ring: CompletionRing,
    readonly source: number,
    /** A CLOCK_MONOTONIC time on the run's clock. */
    readonly at: (monotonicNs: bigint) => number,
    /** Source of memory for frames. The sender of a frame gives its memory back. */
    readonly memory: FrameMemory,
  ) {}

  /** The next frame, or null when nothing is there. */
  next(flags = 0): Uint8Array | null {
    const count = Math.min(FRAME_RECORDS, this.ring.available);
    const lost = this.ring.dropped - this.#droppedBefore;
    if (count === 0 && lost === 0 && flags === 0) return null;
    this.#droppedBefore += lost;
    const metaAt = (base: bigint) => ({
      source: this.source,
      t: this.at(base),
      dropped: lost,
      flags: flags | (this.#droppedBefore > 0 ? FRAME_FLAGS.sampled : 0),
    });
    let frame: Uint8Array | undefined;
    let filler: Filler | undefined;
    this.ring.consume(count, (words, at, records) => {
      if (!filler) {
        const base = timeOf(words, at);
        const made = completionFrame(metaAt(base), count, this.memory.take(completionFrameBytes(count)));
        frame = made.frame;
        filler = new Filler(made.columns, Number(base & 0xffff_ffffn));
      }
      filler.add(words, at, records);
    });
    return frame ?? completionFrame(metaAt(process.hrtime.bigint()), 0).frame;
  }
}

const timeOf = (words: Uint32Array, at: number): bigint =>
  (BigInt(words[at + WORD.tHigh] as number) << 32n) | BigInt(words[at + WORD.tLow] as number);

/** Turns records into columns, straight from the ring into the frame: at millions a second every copy counts. */
class Filler {
  #index = 0;
  #last = 0;

  constructor(
    readonly columns: CompletionColumns,
    readonly baseLow: number,
  ) {}

  add(words: Uint32Array, from: number, records: number): void {
    const { baseLow } = this;
    const { dt, latency, wrId, qpn, meta, byteLen, imm, batch } = this.columns;
    const end = this.#index + records;
    let last = this.#last;
    for (let index = this.#index, at = from; index < end; index++, at += RECORD_WORDS) {
      // The times are modulo 2^32, so their difference is right as long as a frame spans less than that; a record
      // beyond it (a loop with seconds between completions) gets the longest time that fits.
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
    // Records of the ring have no immediate.
    imm.fill(0, this.#index, end);
    this.#index = end;
    this.#last = last;
  }
}
