import { hexNumber } from '../../base/bytes.js';
import type { EndpointRef } from '../../models/types.js';
import type { Way } from './ways.js';

/** Lanes that a reader can still tell apart. */
const MOST = 12;

/** Hosts, or QPs where a host talks to itself; the busiest have a lane each, the others share the last one. */
export class Lanes {
  readonly labels: string[] = [];
  /** Hosts or QPs in the last lane; 0 where each has its own. */
  readonly together: number;
  readonly #perQp: boolean;
  readonly #byKey = new Map<string, number>();

  constructor(ways: readonly Way[]) {
    this.#perQp = ways.some(({ from, to }) => from.ip === to.ip);
    const counts = new Map<string, { end: EndpointRef; packets: number }>();
    for (const { from, to, packets } of ways)
      for (const end of [from, to]) {
        const key = this.#key(end);
        const known = counts.get(key);
        if (known) known.packets += packets;
        else counts.set(key, { end, packets });
      }
    const busiest = new Set(
      [...counts.entries()]
        .sort(([, a], [, b]) => b.packets - a.packets)
        .slice(0, counts.size > MOST ? MOST - 1 : MOST)
        .map(([key]) => key),
    );
    this.together = counts.size - busiest.size;
    for (const [key, { end }] of counts) {
      if (!busiest.has(key)) continue;
      this.#byKey.set(key, this.labels.length);
      const qp = end.qpn === undefined ? 'unknown QP' : `QP ${hexNumber(end.qpn, 6)}`;
      this.labels.push(this.#perQp ? `${end.ip} ${qp}` : end.ip);
    }
    if (this.together > 0) this.labels.push(`${this.together} others`);
  }

  #key = ({ ip, qpn }: EndpointRef): string => (this.#perQp ? `${ip} ${qpn ?? ''}` : ip);

  of(end: EndpointRef): number {
    return this.#byKey.get(this.#key(end)) ?? this.labels.length - 1;
  }
}
