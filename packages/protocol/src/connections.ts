// Pairs of queue pairs that are the two ends of a connection, from `ibv_modify_qp`.
import type { RunEventOf } from './events.js';

type QpEvent = Pick<RunEventOf<'qp'>, 'qpn' | 'attrs'> & { t?: number };

export interface ConnectedEnd {
  peerQpn: number;
  /** Number of this connection between the two QPs, from 1: a QP may be reset and connected again. */
  nth: number;
}

/** Peers of the QPs of a run, each from the time of its connection. */
export class Connections {
  /** Connections of each QP in order of time. */
  readonly #ends = new Map<string, (ConnectedEnd & { from: number })[]>();
  readonly #times = new Map<string, number>();

  /** Adds an event of a QP. Ignores one without a peer. */
  add(endpoint: string, { qpn, attrs, t = 0 }: QpEvent): void {
    const peerQpn = attrs.dest_qp_num;
    if (typeof peerQpn !== 'number') return;
    const key = `${endpoint} ${qpn}`;
    const pair = `${key} ${peerQpn}`;
    const nth = (this.#times.get(pair) ?? 0) + 1;
    this.#times.set(pair, nth);
    const known = this.#ends.get(key);
    if (known) known.push({ peerQpn, nth, from: t });
    else this.#ends.set(key, [{ peerQpn, nth, from: t }]);
  }

  /** Peer of a QP at time `t`, ns of the run; null if no connection was recorded by then. */
  at(endpoint: string, qpn: number, t = Infinity): ConnectedEnd | null {
    const known = this.#ends.get(`${endpoint} ${qpn}`) ?? [];
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (known[middle]!.from <= t) low = middle + 1;
      else high = middle;
    }
    return known[low - 1] ?? null;
  }
}
