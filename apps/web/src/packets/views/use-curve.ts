import type { FilterError } from '@verbslab/roce';
import { useEffect, useMemo, useState } from 'react';
import { addToBins, emptyBins, type PacketBins } from '../../model/packet-bins';
import type { PacketRows } from '../../model/packet-rows';
import { run } from '../../parts/packets/packet-scan';
import { compiled, useEngine, type Compiled } from '../../parts/packets/use-engine';

/** Interval between updates of the graph, ms. */
const SHOW_MS = 200;

export interface Curve {
  /** Null while the curve is switched off, or its filter is wrong. */
  bins: PacketBins | null;
  error: FilterError | null;
}

/** How packets are counted over time. */
export interface Binning {
  durationNs: number;
  width: number;
  /** True to count packets at their arrival too, where the capture holds them as they were sent. */
  arrivals: boolean;
}

const ALL: Compiled = { filter: null, error: null };

/** Packets over time that pass a filter; an empty one lets all pass. */
export function useCurve(rows: PacketRows, text: string, on: boolean, binning: Binning): Curve {
  const engine = useEngine(text !== '');
  const result = useMemo(
    (): Compiled | null => (text === '' ? ALL : engine && compiled(engine, text)),
    [engine, text],
  );
  const [counted, setCounted] = useState<{ of: unknown; bins: PacketBins } | null>(null);
  const { durationNs, width, arrivals } = binning;
  const job = useMemo(
    () =>
      on && result && !result.error ? { rows, filter: result.filter, durationNs, width, arrivals } : null,
    [on, result, rows, durationNs, width, arrivals],
  );
  useEffect(() => {
    if (!job) return;
    const bins = emptyBins(job.durationNs, job.width);
    const zero = job.rows.zero ?? job.rows.time(0) ?? 0;
    const see = (index: number) => {
      if (job.arrivals || !job.rows.isArrival(index)) addToBins(bins, job.rows, zero, index);
    };
    return run({ rows: job.rows, filter: job.filter, see, at: 0 }, SHOW_MS, () =>
      setCounted({ of: job, bins: { ...bins } }),
    );
  }, [job]);
  return {
    bins: job !== null && counted?.of === job ? counted.bins : null,
    error: result?.error ?? null,
  };
}
