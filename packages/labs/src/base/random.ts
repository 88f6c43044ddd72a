/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)]!;

export function shuffled<T>(random: () => number, from: readonly T[]): T[] {
  const out = [...from];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** Source of a number of a question: some of these, or a multiple of `step` in a range. */
export type Drawn = readonly number[] | { min: number; max: number; step?: number };
export type Numbers<K extends string> = Readonly<Record<K, number>>;

function draw(random: () => number, from: Drawn): number {
  if ('length' in from) return pick(random, from);
  const { min, max, step = 1 } = from;
  const steps = Math.floor((max - min) / step);
  return min + step * Math.floor(random() * (steps + 1));
}

export const drawNumbers = <K extends string>(random: () => number, numbers: Record<K, Drawn>): Numbers<K> =>
  Object.fromEntries(
    Object.entries<Drawn>(numbers).map(([name, from]) => [name, draw(random, from)]),
  ) as Record<K, number>;
