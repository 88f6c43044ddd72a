/** Packets concerned: their number, and the first of them. */
export const SAMPLE = 20;

export class Sample {
  total = 0;
  readonly first: number[] = [];
  add(number: number): void {
    this.total++;
    if (this.first.length < SAMPLE) this.first.push(number);
  }
  clear(): void {
    this.total = this.first.length = 0;
  }
  addAll({ total, first }: Sample): void {
    this.total += total;
    for (const number of first) if (this.first.length < SAMPLE) this.first.push(number);
  }
}

/** Returns the sample of a key, a new empty one if it has none yet. */
export function sampleOf<K>(samples: Map<K, Sample>, key: K): Sample {
  let sample = samples.get(key);
  if (!sample) samples.set(key, (sample = new Sample()));
  return sample;
}
