// Which queue pairs are the two ends of one connection, as `ibv_modify_qp` told it.
import type { RunEventOf } from './events.js';

type QpEvent = Pick<RunEventOf<'qp'>, 'qpn' | 'attrs'> & { t?: number };

export interface ConnectedEnd {
  peerQpn: number;
  /** From 1, of the connections of these two QPs: a QP may be reset and connected again. */
  nth: number;
}

/** Peers of the QPs of a run, each from the time at which it was connected. */
export class Connections {
  /** Of each QP in the order of time. */
  readonly #ends = new Map<string, (ConnectedEnd & { from: number })[]>();
  readonly #times = new Map<string, number>();

  /** An event of a QP; one without a peer says nothing here. */
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

  /** What this QP was connected to at this time, in ns of the run. Null: to nothing that was recorded. */
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
