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
  /** The event that tells of it; 0 where another one implies it, as a failed completion implies ERR. */
  seq: number;
}

interface Life {
  endpoint: string;
  qpn: number;
  changes: Change[];
  goneAt: number | null;
}

/** Of QPs whose creation was not recorded, the transitions alone are known. */
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

/** The QPs as the machine shows them: with the error that a failed completion implies, and with their end. */
function lives(model: RunModel, events: TrackEvents): Map<string, Life> {
  const told = transitions(events);
  const all = new Map(told);
  const seen = new Set<string>();
  for (const { id, kind, endpoint, number: qpn, states, goneAt } of bookOf(model).objects) {
    if (kind !== 'QP' || qpn === null || states.length === 0) continue;
    const key = `${endpoint} ${qpn}`;
    const seqs = new Map(told.get(key)?.changes.map(({ t, state, seq }) => [`${t} ${state}`, seq]));
    const changes = states.map(({ t, state }) => ({ t, state, seq: seqs.get(`${t} ${state}`) ?? 0 }));
    // A number may be used again: each of its QPs has a life of its own.
    all.set(seen.has(key) ? id : key, { endpoint, qpn, changes, goneAt });
    seen.add(key);
  }
  return all;
}

/** States of each QP, from its creation to its end or that of the run. */
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
