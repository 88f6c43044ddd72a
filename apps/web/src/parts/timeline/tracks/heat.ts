import { LatencyHistogram, type Transport } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import type { HeatTrack } from '../model/track';

/** Four classes an octave, from 128 ns to about 17 s. */
const PER_OCTAVE = 4;
const LEAST = 7;
const CLASSES = PER_OCTAVE * 27;
const UPPER = Float64Array.from({ length: CLASSES }, (_, i) => 2 ** (LEAST + (i + 1) / PER_OCTAVE));

export function classOf(ns: number): number {
  const i = Math.ceil((Math.log2(Math.max(1, ns)) - LEAST) * PER_OCTAVE) - 1;
  return Math.min(CLASSES - 1, Math.max(0, i));
}

/** Decoding costs more than drawing: each interval is counted once. */
const counted = new WeakMap<Uint8Array, Uint32Array>();

function countsOf(encoded: Uint8Array): Uint32Array {
  const known = counted.get(encoded);
  if (known) return known;
  const counts = new Uint32Array(CLASSES);
  try {
    for (const [ns, n] of LatencyHistogram.decode(encoded).distribution) counts[classOf(ns)]! += n;
  } catch {
    // The page already counts it as a frame that could not be read.
  }
  counted.set(encoded, counts);
  return counts;
}

/** Latencies over time, of each loop that measured them. */
export function heatTracks(model: RunModel, nameOf: (transport: Transport) => string): HeatTrack[] {
  return [...model.histograms].flatMap(([id, { intervals, beyond }]): HeatTrack[] => {
    const source = model.sources.get(id);
    if (source?.what !== 'loop' || source.role === 'server' || intervals.length === 0) return [];
    const all = intervals.map(({ encoded }) => countsOf(encoded));
    const used = all.reduce((n, row) => Math.max(n, row.findLastIndex((c) => c > 0) + 1), 1);
    const first = Math.min(...all.map((row) => row.findIndex((c) => c > 0)).filter((i) => i >= 0), used - 1);
    const classes = used - first;
    const counts = new Uint32Array(all.length * classes);
    all.forEach((row, i) => counts.set(row.subarray(first, used), i * classes));
    const round = source.round === undefined ? '' : `, round ${source.round}`;
    return [
      {
        id: `latency ${id}`,
        group: source.endpoint ?? '',
        title: `Latency, ${nameOf(source.transport)}${round}`,
        kind: 'heat',
        t: Float64Array.from(intervals, ({ t }) => t),
        width: Float64Array.from(
          intervals,
          ({ t }, i) => t - (intervals[i - 1]?.t ?? Math.max(0, t - 100e6)),
        ),
        least: UPPER[first]! / 2 ** (1 / PER_OCTAVE),
        classes: UPPER.slice(first, used),
        counts,
        most: counts.reduce((a, b) => Math.max(a, b), 1),
        height: 64,
        ...(beyond > 0 ? { caveat: `${beyond} later intervals are not kept by this page` } : {}),
      },
    ];
  });
}
