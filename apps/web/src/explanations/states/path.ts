/** The way of a QP through its states, as a run recorded it. Pure functions. */
import type { RunModel } from '../../model/run-model';
import { STATES, type State } from './transitions';

export interface Move {
  /** Since the QP was created, ns. */
  t: number;
  from: State;
  to: State;
}

const known = (state: string): state is State => (STATES as readonly string[]).includes(state);

/** Moves of the QP of a run that made most; of the first one of several. */
export function pathOf({ trace }: Pick<RunModel, 'trace'>): Move[] {
  const byQp = new Map<string, { begin: number; moves: Move[] }>();
  for (const event of trace) {
    if (event.kind !== 'qp') continue;
    const { t, from, to, qpn, endpoint = '' } = event;
    const name = `${endpoint} ${qpn}`;
    const qp = byQp.get(name) ?? { begin: t, moves: [] };
    byQp.set(name, qp);
    if (from !== to && known(from) && known(to)) qp.moves.push({ t: t - qp.begin, from, to });
  }
  return [...byQp.values()].reduce<Move[]>(
    (most, { moves }) => (moves.length > most.length ? moves : most),
    [],
  );
}

/** Move with its name in the graph: that from a state, or from any. */
export const edgeOf = ({ from, to }: Pick<Move, 'from' | 'to'>): string =>
  to === 'ERR' || to === 'RESET' ? `any-${to}` : `${from}-${to}`;
