import type { PacketFacts } from './facts.js';

/** Packets that are kept until another place captures them. */
const MOST = 1 << 16;
/** Packets that are kept before the second place shows. */
const RECENT = 1 << 14;
/** Longest time between two captures of one packet, differing clocks and a busy host included. */
const APART_NS = 500_000_000;
const ICRC_BYTES = 4;
/** Times between two places that are kept per flow. */
const SAMPLES = 64;
/**
 * Packets that must pass one of two places first before their order is certain, plus as many per packet that did not.
 */
const SURE = 16;

/** The order in which two places captured the packets of a flow. */
export interface Order {
  places: [a: number, b: number];
  /** Packets with the earlier time at the first place, and at the second. */
  first: number;
  second: number;
  /** Packets that come earlier in the file from the first place, and from the second. */
  ahead: [a: number, b: number];
  /** Times from one place to the other, for the first of these packets, ns. */
  apartNs: number[];
}

interface Seen {
  t: number;
  /** Places of the packet, and how often each place captured it. */
  places: number[];
  counts: number[];
}

const mix = (h: number, value: number): number => {
  const m = Math.imul(h ^ value, 0x9e3779b1);
  return m ^ (m >>> 15);
};

/**
 * Key that both captures of a packet share: the flow, the BTH, the AETH, and the ICRC where PSNs do not tell packets
 * apart.
 */
function nameOf(p: PacketFacts, flow: number): number {
  let rest = mix(mix(mix(0x12345, flow), p.opcode), p.syndrome * 0x1000000 + p.msn);
  if (p.info?.transport === 'UD') for (const byte of p.data.slice(-ICRC_BYTES)) rest = mix(rest, byte);
  return (p.psn & 0xffffff) * 0x20000000 + (rest >>> 3);
}

/**
 * Finds the packets that the capture holds from two places: the interfaces by which a packet left and arrived, or two
 * interfaces of one host. Only the same packet at another place counts. The same packet again at the same place was
 * sent again.
 */
export class Copies {
  /** Orders by flow ID. */
  readonly orders = new Map<number, Order>();
  readonly #seen = new Map<number, Seen>();
  #places = new Set<number>();
  /** Names, places and times of the last packets, while all come from one place. */
  readonly #recent = new Float64Array(RECENT * 2);
  #count = 0;

  /** Returns true for a packet that the capture already holds from another place. */
  see(p: PacketFacts, flow: number): boolean {
    const name = nameOf(p, flow);
    if (this.#places.size === 1 && this.#places.has(p.place)) {
      const at = (this.#count++ % RECENT) * 2;
      this.#recent[at] = name;
      this.#recent[at + 1] = p.t;
      return false;
    }
    if (this.#places.size === 0) {
      this.#places.add(p.place);
      return this.see(p, flow);
    }
    if (this.#places.size === 1) this.#begin();
    if (this.#places.size < MOST) this.#places.add(p.place);
    return this.#again(name, p.place, p.t, flow);
  }

  #begin(): void {
    const [place] = this.#places;
    for (let i = Math.max(0, this.#count - RECENT); i < this.#count; i++) {
      const at = (i % RECENT) * 2;
      this.#again(this.#recent[at]!, place!, this.#recent[at + 1]!);
    }
  }

  #again(name: number, place: number, t: number, flow = -1): boolean {
    let seen = this.#seen.get(name);
    if (!seen || Math.abs(t - seen.t) > APART_NS) {
      if (seen) this.#seen.delete(name);
      else if (this.#seen.size === MOST) this.#seen.delete(this.#seen.keys().next().value!);
      this.#seen.set(name, (seen = { t, places: [], counts: [] }));
    }
    const passed = t - seen.t;
    seen.t = t;
    let at = seen.places.indexOf(place);
    if (at < 0) {
      if (seen.places.length === 1 && seen.counts[0] === 1) this.#order(flow, seen.places[0]!, place, passed);
      at = seen.places.push(place) - 1;
      seen.counts.push(0);
    }
    const count = seen.counts[at]! + 1;
    const leader = this.#leader(flow, place);
    // A packet that was made between the two places is not a copy, because the first place has not seen it.
    const second = leader !== place && seen.counts.some((elsewhere, i) => i !== at && elsewhere >= count);
    if (second || leader === undefined || leader === place) seen.counts[at] = count;
    return second;
  }

  /** Returns the place that the packets of a flow pass first, if this place is one of the two. */
  #leader(flow: number, place: number): number | undefined {
    const order = this.orders.get(flow);
    if (!order?.places.includes(place)) return undefined;
    const { places, ahead } = order;
    if (ahead[0] >= SURE * (1 + ahead[1])) return places[0];
    return ahead[1] >= SURE * (1 + ahead[0]) ? places[1] : undefined;
  }

  #order(flow: number, from: number, to: number, ns: number): void {
    if (flow < 0) return;
    let order = this.orders.get(flow);
    if (!order) {
      const places: [number, number] = [Math.min(from, to), Math.max(from, to)];
      this.orders.set(flow, (order = { places, first: 0, second: 0, ahead: [0, 0], apartNs: [] }));
    }
    const [a, b] = order.places;
    if (Math.min(from, to) !== a || Math.max(from, to) !== b) return;
    order.ahead[from === a ? 0 : 1]++;
    if (ns === 0) return;
    // The later packet may come first in a file that is not sorted.
    const earlier = ns > 0 ? from : to;
    if (earlier === a) order.first++;
    else order.second++;
    if (order.apartNs.length < SAMPLES) order.apartNs.push(Math.abs(ns));
  }
}
