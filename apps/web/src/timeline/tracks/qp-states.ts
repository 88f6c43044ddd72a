import { hex } from '../../format/number';
import type { RunModel } from '../../run/model/run-model';
import type { Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import { rowsHeight } from './requests';

interface Change {
  t: number;
  state: string;
  seq: number;
}

/** States of each QP, from its creation to its end or that of the run. */
export function stateTracks(model: RunModel, end: number): SpanTrack[] {
  const qps = new Map<string, { endpoint: string; qpn: number; changes: Change[]; goneAt: number | null }>();
  for (const e of model.trace) {
    if (e.kind !== 'qp') continue;
    const endpoint = e.endpoint ?? '';
    const key = `${endpoint} ${e.qpn}`;
    const qp = qps.get(key) ?? { endpoint, qpn: e.qpn, changes: [], goneAt: null };
    qps.set(key, qp);
    if (qp.changes.at(-1)?.state !== e.to) qp.changes.push({ t: e.t, state: e.to, seq: e.seq });
  }
  for (const o of model.objects.all) {
    if (o.kind !== 'QP') continue;
    qps.set(o.key, {
      endpoint: o.endpoint,
      qpn: o.number,
      changes: o.states.map(({ t, state }) => ({ t, state, seq: 0 })),
      goneAt: o.goneAt,
    });
  }
  return [...qps].map(([key, { endpoint, qpn, changes, goneAt }]) => {
    const spans = changes.map(({ t, state, seq }, i): Span => ({
      from: t,
      to: Math.max(t, changes[i + 1]?.t ?? goneAt ?? end),
      ref: seq,
      label: state,
      tone: state === 'ERR' || state === 'SQE' ? 'error' : state === 'RTS' ? 'state' : 'quiet',
    }));
    return {
      id: `states ${key}`,
      group: endpoint,
      title: `State of QP ${hex(qpn)}`,
      kind: 'spans',
      of: 'event',
      rows: [spans],
      height: rowsHeight(1),
    };
  });
}
