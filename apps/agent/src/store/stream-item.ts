import type { FrameHeader } from '@verbslab/protocol';

/** One item of a stream: a JSON event as text, or a binary frame. */
export interface StreamItem {
  /** 0: live only, not recorded. */
  seq: number;
  json: string | null;
  frame: Buffer | null;
  /**
   * Set for frames whose loss a slow client survives. `count`: records that are reported only by this frame,
   * those in it and those that it says were lost before it.
   */
  detail: { what: 'completions' | 'packets'; source: number; count: number } | null;
  /** Bytes of the stream up to and including this item; NaN when it was read from the database. */
  end: number;
  /** Readers that may still look at the frame: while there are any, its memory is not used again. */
  held: number;
}

export function detailOf(header: FrameHeader): StreamItem['detail'] {
  const { kind, source, count, dropped } = header;
  return kind === 'completions' || kind === 'packets' ? { what: kind, source, count: count + dropped } : null;
}
