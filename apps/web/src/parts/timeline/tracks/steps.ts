import type { LabDescription, RunEventOf } from '@verbslab/protocol';
import type { Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import type { TrackEvents } from '../model/track-events';
import { rowsHeight } from './requests';

/** The steps of a lab that has some. */
export function stepTrack({ steps }: TrackEvents, lab: LabDescription | null): SpanTrack[] {
  const begun = new Map<number, RunEventOf<'step'>>();
  const spans: Span[] = [];
  for (const e of steps) {
    if (e.phase === 'begin') {
      begun.set(e.index, e);
      continue;
    }
    const begin = begun.get(e.index);
    if (!begin) continue;
    spans.push({
      from: begin.t,
      to: e.t,
      ref: begin.seq,
      label: lab?.steps?.[e.index]?.title ?? e.id,
      tone: e.ok === false ? 'error' : 'step',
    });
  }
  if (spans.length === 0) return [];
  return [
    {
      id: 'steps',
      group: '',
      title: 'Steps',
      kind: 'spans',
      of: 'event',
      rows: [spans],
      height: rowsHeight(1),
    },
  ];
}
