/** A seeded generator (mulberry32): good enough to shake parsers, and it replays. */
export class Random {
  constructor(public seed: number) {}
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) >>> 0;
    let t = this.seed;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
  below(n: number): number {
    return this.next() % n;
  }
  bytes(n: number): Uint8Array {
    return Uint8Array.from({ length: n }, () => this.next() & 0xff);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** Seed of this run. VERBSLAB_SEED replays a seed. */
export function newSeed(): number {
  const given = process.env.VERBSLAB_SEED;
  return given === undefined ? Math.floor(Math.random() * 0x100000000) : Number(given) >>> 0;
}
