import { MAX_CONNECTIONS, type EventBody, type QpPair } from '@verbslab/protocol';

/** Connections that are known per process. Any others are assumed to lead out of the run. */
const KNOWN = 4096;

interface OfProcess {
  pairs: Map<string, QpPair>;
  /** QPs that can receive. */
  receiving: Set<number>;
  full: boolean;
}

const keyOf = (qpn: number, peerQpn: number): string => `${qpn} ${peerQpn}`;

/** The connections between QPs of the processes of a run, from their events. */
export class QpPairs {
  readonly #processes = new Map<string, OfProcess>();
  /** The process of each pair. */
  readonly #owners = new Map<string, string>();

  /** Takes an event of the endpoint `process`. */
  event(process: string, event: EventBody): void {
    if (event.kind === 'traffic') {
      for (const { qpn, peerQpn } of event.peers) this.#add(process, qpn, peerQpn);
    } else if (event.kind === 'qp') {
      const { dest_qp_num: peerQpn } = event.attrs;
      if (event.to === 'RTR') this.#of(process).receiving.add(event.qpn);
      if (typeof peerQpn === 'number') this.#add(process, event.qpn, peerQpn);
    }
  }

  #of(process: string): OfProcess {
    let of = this.#processes.get(process);
    if (!of) this.#processes.set(process, (of = { pairs: new Map(), receiving: new Set(), full: false }));
    return of;
  }

  #add(process: string, qpn: number, peerQpn: number): void {
    const of = this.#of(process);
    const key = keyOf(qpn, peerQpn);
    if (of.pairs.has(key)) return;
    if (of.pairs.size >= KNOWN) {
      of.full = true;
      return;
    }
    of.pairs.set(key, { qpn, peerQpn });
    this.#owners.set(key, process);
  }

  get processes(): readonly string[] {
    return [...this.#processes.keys()];
  }

  /** True if everything that this process can receive comes from processes of the run: others, or itself. */
  inside(process: string): boolean {
    const of = this.#processes.get(process);
    if (!of || of.full || of.pairs.size === 0) return false;
    const pairs = [...of.pairs.values()];
    const answered = pairs.every(({ qpn, peerQpn }) => this.#owners.has(keyOf(peerQpn, qpn)));
    const known = new Set(pairs.map(({ qpn }) => qpn));
    return answered && [...of.receiving].every((qpn) => known.has(qpn));
  }

  /** The first connections, up to MAX_CONNECTIONS. */
  get list(): QpPair[] {
    const all = [...this.#processes.values()].flatMap(({ pairs }) => [...pairs.values()]);
    return all.slice(0, MAX_CONNECTIONS);
  }
}
