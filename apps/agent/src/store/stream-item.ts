import type { FrameHeader } from '@verbslab/protocol';

/** An item of a stream: a JSON event as text, or a binary frame. */
export interface StreamItem {
  /** Sequence number; 0 for a live-only item, which is not recorded. */
  seq: number;
  json: string | null;
  frame: Buffer | null;
  /**
   * Set for frames that a slow client may lose. `count`: records that only this frame reports, those in it and those
   * that it reports as lost before it.
   */
  detail: { what: 'completions' | 'packets'; source: number; count: number } | null;
  /** Bytes of the stream up to and including this item; NaN for an item from the database. */
  end: number;
  /** Number of readers that may still look at the frame. Its memory is not reused before this is 0. */
  held: number;
}

export function detailOf(header: FrameHeader): StreamItem['detail'] {
  const { kind, source, count, dropped } = header;
  return kind === 'completions' || kind === 'packets' ? { what: kind, source, count: count + dropped } : null;
}
