import { latencyView, type LatencyView } from '@verbslab/charts/data';
import type { RunModel } from './run-model';

const kept = new WeakMap<RunModel, { version: number; view: LatencyView }>();

/** The latencies of a run so far; several views ask in one round. */
export function latencyNow(model: RunModel): LatencyView {
  const old = kept.get(model);
  if (old?.version === model.version.histogram) return old.view;
  const view = latencyView(model);
  kept.set(model, { version: model.version.histogram, view });
  return view;
}
