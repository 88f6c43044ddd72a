import { qpnText } from '@verbslab/protocol';
import { bookOf } from '../../../model/machine/book';
import type { RunModel } from '../../../model/run-model';
import type { Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import type { TrackEvents } from '../model/track-events';
import { rowsHeight } from './requests';

interface Change {
  t: number;
  state: string;
  /** Sequence number of the event of the change; 0 if another event implies it, as a failed completion implies ERR. */
  seq: number;
}

interface Life {
  endpoint: string;
  qpn: number;
  changes: Change[];
  goneAt: number | null;
}

/** Transitions by QP. Nothing else is known of QPs whose creation was not recorded. */
function transitions(events: TrackEvents): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const e of events.transitions) {
    const endpoint = e.endpoint ?? '';
    const key = `${endpoint} ${e.qpn}`;
    const life = lives.get(key) ?? { endpoint, qpn: e.qpn, changes: [], goneAt: null };
    lives.set(key, life);
    if (life.changes.at(-1)?.state !== e.to) life.changes.push({ t: e.t, state: e.to, seq: e.seq });
  }
  return lives;
}

/** QPs as in the machine: with the ERR state that a failed completion implies, and with their end. */
function lives(model: RunModel, events: TrackEvents): Map<string, Life> {
  const told = transitions(events);
  const all = new Map(told);
  const seen = new Set<string>();
  for (const { id, kind, endpoint, number: qpn, states, goneAt } of bookOf(model).objects) {
    if (kind !== 'QP' || qpn === null || states.length === 0) continue;
    const key = `${endpoint} ${qpn}`;
    const seqs = new Map(told.get(key)?.changes.map(({ t, state, seq }) => [`${t} ${state}`, seq]));
    const changes = states.map(({ t, state }) => ({ t, state, seq: seqs.get(`${t} ${state}`) ?? 0 }));
    // A number may be reused: each QP with it has a row of its own.
    all.set(seen.has(key) ? id : key, { endpoint, qpn, changes, goneAt });
    seen.add(key);
  }
  return all;
}

/** States of each QP, until it is destroyed or the run ends. */
export function stateTracks(model: RunModel, events: TrackEvents, end: number): SpanTrack[] {
  return [...lives(model, events)].map(([key, { endpoint, qpn, changes, goneAt }]) => {
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
      title: `State of QP ${qpnText(qpn)}`,
      kind: 'spans',
      of: 'event',
      rows: [spans],
      height: rowsHeight(1),
    };
  });
}
