import type { PacketFacts } from './facts.js';

/** Packets that are remembered until they show at another place. */
const MOST = 1 << 16;
/** Packets from before the second place showed. */
const RECENT = 1 << 14;
/** Two captures of one packet are not further apart, differing clocks and a busy host included. */
const APART_NS = 500_000_000;
const ICRC_BYTES = 4;
/** Times between two places that are kept of one flow. */
const SAMPLES = 64;
/** So many packets passed one of two places first before that is certain, and as many for each that did not. */
const SURE = 16;

/** The order in which two places captured the packets of a flow. */
export interface Order {
  places: [a: number, b: number];
  /** Packets that the first of them had first, and the second. */
  first: number;
  second: number;
  /** Packets that the file holds from the first of them first, and from the second. */
  ahead: [a: number, b: number];
  /** From one to the other, of the first of these packets. */
  apartNs: number[];
}

interface Seen {
  t: number;
  /** Where, and how often. */
  places: number[];
  counts: number[];
}

const mix = (h: number, value: number): number => {
  const m = Math.imul(h ^ value, 0x9e3779b1);
  return m ^ (m >>> 15);
};

/** The same for both captures of a packet: the flow, the BTH, the AETH, and the ICRC where no PSN tells packets apart. */
function nameOf(p: PacketFacts, flow: number): number {
  let rest = mix(mix(mix(0x12345, flow), p.opcode), p.syndrome * 0x1000000 + p.msn);
  if (p.info?.transport === 'UD') for (const byte of p.data.slice(-ICRC_BYTES)) rest = mix(rest, byte);
  return (p.psn & 0xffffff) * 0x20000000 + (rest >>> 3);
}

/**
 * Tells which packets the capture holds from two places: an interface that they left by and one that they reached, two
 * interfaces of one host. Only the same packet counts, and only at another place: once more at the same place, it was
 * sent again.
 */
export class Copies {
  /** By flow. */
  readonly orders = new Map<number, Order>();
  readonly #seen = new Map<number, Seen>();
  #places = new Set<number>();
  /** Names, places and times of the last packets, while all come from one place. */
  readonly #recent = new Float64Array(RECENT * 2);
  #count = 0;

  /** True for a packet that the capture holds from another place. */
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
    // What has not passed there yet is no copy of what was made on the way from there.
    const second = leader !== place && seen.counts.some((elsewhere, i) => i !== at && elsewhere >= count);
    if (second || leader === undefined || leader === place) seen.counts[at] = count;
    return second;
  }

  /** The place that the packets of a flow pass first, where this place is one of the two. */
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
    // In a file that is not sorted, the later packet may come first.
    const earlier = ns > 0 ? from : to;
    if (earlier === a) order.first++;
    else order.second++;
    if (order.apartNs.length < SAMPLES) order.apartNs.push(Math.abs(ns));
  }
}
