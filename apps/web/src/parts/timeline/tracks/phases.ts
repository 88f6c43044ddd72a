import type { RunModel } from '../../../model/run-model';
import { rowsOf, type Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import { rowsHeight } from './requests';

/** The phases of a run that has some; those at the same time lie above each other. `last`: the end of what goes on. */
export function phaseTrack(model: RunModel, last: number): SpanTrack[] {
  const spans = model.phases.all.map(({ begin, end }): Span => ({
    from: begin.t,
    to: Math.max(begin.t, Number.isFinite(end) ? end : last),
    ref: begin.seq,
    label: begin.text,
    tone: begin.omit ? 'quiet' : 'step',
  }));
  if (spans.length === 0) return [];
  const rows = rowsOf(spans);
  const height = rowsHeight(rows.length);
  return [{ id: 'phases', group: '', title: 'Phases', kind: 'spans', of: 'event', rows, height }];
}
