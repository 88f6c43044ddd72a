import { faultsText, isProblem, lookupWcStatus } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import { rowsOf, type Span } from '../model/spans';
import { streamOf } from '../model/stream';
import type { Marks, MarkTrack, SpanTrack } from '../model/track';
import { rowsHeight } from './requests';

/** Calls of one thread at a time need few rows. */
const MAX_ROWS = 4;

/** Verbs calls by endpoint, each as long as it took. */
export function callTracks(model: RunModel): SpanTrack[] {
  const byEndpoint = new Map<string, Span[]>();
  // Of a program only failed calls are recorded, and some only answer that there is nothing.
  const programs = model.problems.filter((e) => e.kind === 'verb').filter(isProblem);
  for (const e of [...model.trace.filter((x) => x.kind === 'verb'), ...programs]) {
    const endpoint = e.endpoint ?? '';
    const spans = byEndpoint.get(endpoint) ?? [];
    byEndpoint.set(endpoint, spans);
    spans.push({
      from: e.t,
      to: e.t + e.durationNs,
      ref: e.seq,
      label: e.error ? `${e.call}: ${e.error.message}` : e.call,
      tone: e.error ? 'error' : 'call',
    });
  }
  return [...byEndpoint].map(([endpoint, spans]) => {
    const rows = rowsOf(spans).slice(0, MAX_ROWS);
    return {
      id: `calls ${endpoint}`,
      group: endpoint,
      title: programs.length > 0 ? 'Verbs calls that failed' : 'Verbs calls',
      kind: 'spans',
      of: 'event',
      rows,
      height: rowsHeight(rows.length),
    };
  });
}

/** Asynchronous events, completions with an error, and what a program did wrong: each is drawn. */
export function eventTracks(model: RunModel): MarkTrack[] {
  const all = model.kept;
  const failed = all.filter((e) => e.kind === 'completion').filter(({ wc }) => wc.status !== 0);
  const async = all.filter((e) => e.kind === 'async');
  const findings = all.filter((e) => e.kind === 'finding');
  const endpoints = new Set([...failed, ...async, ...findings].map(({ endpoint = '' }) => endpoint));
  return [...endpoints].map((endpoint) => {
    const of = <E extends { t: number; seq: number; endpoint?: string | undefined }>(list: readonly E[]) =>
      streamOf(
        list.filter((e) => (e.endpoint ?? '') === endpoint),
        ({ t }) => t,
        ({ seq }) => seq,
      );
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
