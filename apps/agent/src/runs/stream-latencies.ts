import {
  decodeHistogram,
  FRAME_FLAGS,
  LatencyHistogram,
  type FrameHeader,
  type LoopLatencies,
  type RunEventOf,
  type Transport,
} from '@verbslab/protocol';

type Source = RunEventOf<'source'>;

/** Latencies of a loop: the sum of its intervals, or its own total once that has come. */
interface OfLoop {
  sum: LatencyHistogram;
  total: boolean;
}

/** Latencies of the loops of a run, collected from its stream. Warm-up and the server’s end are left out. */
export class StreamLatencies {
  readonly #sources = new Map<number, Source>();
  readonly #loops = new Map<number, OfLoop>();

  source(event: Source): void {
    this.#sources.set(event.source, event);
  }

  frame({ kind, source: id, flags }: FrameHeader, frame: Uint8Array): void {
    const source = this.#sources.get(id);
    if (kind !== 'histogram' || source?.what !== 'loop' || source.role !== 'client') return;
    if (flags & FRAME_FLAGS.omitted) return;
    const total = (flags & FRAME_FLAGS.total) !== 0;
    const known = this.#loops.get(id);
    if (known?.total) return;
    let values: LatencyHistogram;
    try {
      values = LatencyHistogram.decode(decodeHistogram(frame));
    } catch (error) {
      // The page of the run counts and shows frames that cannot be read.
      if (!(error instanceof RangeError)) throw error;
      return;
    }
    if (known && !total) known.sum.add(values);
    else this.#loops.set(id, { sum: values, total });
  }

  /** Latencies of each loop of a transport. */
  loops(transport: Transport): LoopLatencies[] {
    return [...this.#loops].flatMap(([id, { sum }]) => {
      const source = this.#sources.get(id);
      return source?.transport === transport ? [{ round: source.round, latencies: sum }] : [];
    });
  }

  /** Histograms of a transport, one per round. */
  rounds(transport: Transport): LatencyHistogram[] {
    return this.loops(transport).map(({ latencies }) => latencies);
  }

  /** Histogram of all rounds together. */
  all(transport: Transport): LatencyHistogram {
    const latency = new LatencyHistogram();
    for (const round of this.rounds(transport)) latency.add(round);
    return latency;
  }
}
