'use client';
import { text, time } from '../../format/number';
import type { RunModel } from '../../model/run-model';
import { mostQps } from '../../model/strips/most-qps';
import { MANY_QPS, qpStripsAt, type QpStrips } from '../../model/strips/qp-strips';
import { wireRatesAt, type WireRate } from '../../model/strips/wire-rates';
import { StripsPicture } from '../../parts/strips/strips-picture';

export interface StripsOfRun {
  at: number;
  shown: readonly QpStrips[];
  wires: ReadonlyMap<string, WireRate>;
}

/** The queues of a run that has ended, at the moment with the most QPs; null for a run with few. */
export function stripsOfRun(model: RunModel): StripsOfRun | null {
  const most = mostQps(model);
  if (most === null || most.qps < MANY_QPS) return null;
  const { at } = most;
  const shown = qpStripsAt(model, at);
  return shown.length === 0 ? null : { at, shown, wires: wireRatesAt(model, at) };
}

export function RunStrips({ at, shown, wires }: StripsOfRun) {
  return (
    <section className="mt-3" aria-label="Queues at the moment with the most QPs">
      <p className="mb-1 text-12 text-ink-3" data-words>
        Queues at the moment with the most QPs{Number.isFinite(at) ? `, after ${text(time(at))}` : ''}
      </p>
      <StripsPicture shown={shown} at={at} wires={wires} />
    </section>
  );
}
