import { faultsText, lookupWcStatus } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import { rowsOf, type Span } from '../model/spans';
import { streamOf } from '../model/stream';
import type { Marks, MarkTrack, SpanTrack } from '../model/track';
import type { LatestBy, TrackEvents } from '../model/track-events';
import { rowsHeight } from './requests';

/** Calls of one thread at a time need few rows. */
const MAX_ROWS = 4;

/** Verbs calls by endpoint, each as long as it took. */
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

/** Asynchronous events, completions with an error, and what a program did wrong: each is drawn. */
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
      { name: 'failed completion', colour: 'error', shape: 'cross', stream: of(failed), of: 'event' },
      { name: 'asynchronous event', colour: 'nak', shape: 'triangle', stream: of(async), of: 'event' },
      { name: 'misuse', colour: 'retx', shape: 'dot', stream: of(findings), of: 'event' },
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

/** What a mark of the track of errors and events stands for, in a few words. */
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
