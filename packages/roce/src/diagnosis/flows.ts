import { Flow } from './flow.js';
import type { PacketFacts } from './facts.js';

/** Limit of flows that are followed: a scan of a million QPs must not fill the memory. */
const MOST = 1 << 15;

/** The flows of a capture, by addresses and QP. */
export class Flows {
  readonly all: Flow[] = [];
  readonly #byKey = new Map<number, Flow>();
  readonly #byHosts = new Map<number, Flow[]>();
  #last: Flow | null = null;

  static #hosts = (src: number, dst: number): number => src * 65_536 + dst;
  static #key = (src: number, dst: number, qp: number): number => Flows.#hosts(src, dst) * 16_777_216 + qp;

  /** Returns the flow of a packet; null if too many are followed already. */
  of(p: PacketFacts): Flow | null {
    const last = this.#last;
    if (last && last.qp === p.destQp && last.src === p.src && last.dst === p.dst) return last;
    return (this.#last = this.find(p.src, p.dst, p.destQp) ?? this.#make(p));
  }

  find(src: number, dst: number, qp: number): Flow | null {
    return this.#byKey.get(Flows.#key(src, dst, qp)) ?? null;
  }

  between(src: number, dst: number): readonly Flow[] {
    return this.#byHosts.get(Flows.#hosts(src, dst)) ?? [];
  }

  #make(p: PacketFacts): Flow | null {
    if (this.all.length >= MOST || p.src < 0 || p.dst < 0) return null;
    const flow = new Flow(this.all.length, p.src, p.dst, p.destQp, p.number);
    this.all.push(flow);
    this.#byKey.set(Flows.#key(p.src, p.dst, p.destQp), flow);
    const hosts = Flows.#hosts(p.src, p.dst);
    const list = this.#byHosts.get(hosts);
    if (list) list.push(flow);
    else this.#byHosts.set(hosts, [flow]);
    return flow;
  }
}
