import { LatencyHistogram, type Transport } from '@verbslab/protocol';
import { CLASSES, classOf, heatCells } from '@verbslab/charts/data';
import type { RunModel } from '../../../model/run-model';
import type { HeatTrack } from '../model/track';

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
        ...heatCells(all),
        height: 64,
        ...(beyond > 0 ? { caveat: `${beyond} later intervals are not kept by this page` } : {}),
      },
    ];
  });
}
