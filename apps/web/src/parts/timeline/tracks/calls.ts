import { faultsText, lookupWcStatus } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import { rowsOf, type Span } from '../model/spans';
import { streamOf } from '../model/stream';
import type { Marks, MarkTrack, SpanTrack } from '../model/track';
import type { LatestBy, TrackEvents } from '../model/track-events';
import { rowsHeight } from './requests';

/** Most rows of a track; calls of a thread do not overlap, so few are needed. */
const MAX_ROWS = 4;

/** Tracks of verbs calls by endpoint; each call is as long as it took. */
export function callTracks({ calls, callsFailed }: TrackEvents): SpanTrack[] {
  return calls.keys.map((endpoint) => {
    const { items, caveat } = calls.of(endpoint);
    const spans = items.map((e): Span => ({
      from: e.t,
      to: e.t + e.durationNs,
      ref: e.seq,
      label: e.error ? `${e.call}: ${e.error.message}` : e.call,
      tone: e.error ? 'error' : 'call',
    }));
    const rows = rowsOf(spans).slice(0, MAX_ROWS);
    return {
      id: `calls ${endpoint}`,
      group: endpoint,
      title: callsFailed ? 'Verbs calls that failed' : 'Verbs calls',
      kind: 'spans',
      of: 'event',
      rows,
      height: rowsHeight(rows.length),
      ...(caveat === null ? {} : { caveat }),
    };
  });
}

/** Tracks of asynchronous events, failed completions and misuse by a program. Each of them is drawn. */
export function eventTracks({ failed, async, findings }: TrackEvents): MarkTrack[] {
  const endpoints = new Set([failed, async, findings].flatMap(({ keys }) => keys));
  return [...endpoints].map((endpoint) => {
    const caveats: string[] = [];
    const of = <E extends { t: number; seq: number }>(list: LatestBy<E>) => {
      const { items, caveat } = list.of(endpoint);
      if (caveat !== null) caveats.push(caveat);
      return streamOf(
        items,
        ({ t }) => t,
        ({ seq }) => seq,
      );
    };
    const marks: Marks[] = [
      { name: 'failed completion', color: 'error', shape: 'cross', stream: of(failed), of: 'event' },
      { name: 'asynchronous event', color: 'nak', shape: 'triangle', stream: of(async), of: 'event' },
      { name: 'misuse', color: 'retx', shape: 'dot', stream: of(findings), of: 'event' },
    ];
    return {
      id: `events ${endpoint}`,
      group: endpoint,
      title: 'Errors and events',
      kind: 'marks',
      marks: marks.filter(({ stream }) => stream.length > 0).map((m) => ({ ...m, exceptional: true })),
      height: 24,
      ...(caveats.length === 0 ? {} : { caveat: caveats.join('; ') }),
    };
  });
}

/** Short text for a mark of the track of errors and events. */
export function eventText(model: RunModel, seq: number): string | null {
  const e = model.eventAt(seq);
  switch (e?.kind) {
    case 'completion':
      return lookupWcStatus(e.wc.status).name;
    case 'async':
      return e.event;
    case 'finding':
      return `${e.object}: ${e.detail}`;
    case 'verb':
      return e.call;
    case 'phase':
      return e.text;
    case 'faults':
      return faultsText(e);
    case 'step':
    case 'qp':
    case 'exchange':
    case 'wr':
    case undefined:
      return null;
  }
}
