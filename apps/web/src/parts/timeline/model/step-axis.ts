/** Time axis of a run that was gone through step by step: without the pauses in which nothing happened. */
import type { RunModel } from '../../../model/run-model';
import { CutAxis, idleCuts, UNCUT, type Cut, type TimeAxis } from './time-axis';

/** Shortest pause that is cut, what is left of it at both ends, and its width on the axis, ns. */
const LEAST_NS = 1e6;
const MARGIN_NS = 20e3;
const WIDTH_NS = 250e3;

/** Everything that has a time, but for samples that are taken all the time. */
function recorded(model: RunModel): Cut[] {
  const busy: Cut[] = [];
  const moment = (t: number | null): void => {
    if (t !== null) busy.push({ from: t, to: t });
  };
  for (const e of model.trace) {
    if (e.kind === 'verb') busy.push({ from: e.t, to: e.t + e.durationNs });
    else if (e.kind === 'wr') for (const name of STAGES) moment(e[name]);
    else moment(e.t);
  }
  for (const { t } of model.packets.all) moment(t);
  return busy;
}

const STAGES = ['posted', 'firstTx', 'lastTx', 'acked', 'cqe', 'polled'] as const;

export function stepAxis(model: RunModel): TimeAxis {
  if (model.record.mode !== 'step') return UNCUT;
  const cuts = idleCuts(recorded(model), LEAST_NS, MARGIN_NS);
  return cuts.length === 0 ? UNCUT : new CutAxis(cuts, WIDTH_NS);
}
