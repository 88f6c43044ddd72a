/** Limit of stretches. The lowest are dropped first. */
const MOST = 512;

/** A set of positions, kept as ascending stretches. Adding in order costs the same, however large the set is. */
export class Stretches {
  #from: number[] = [];
  #to: number[] = [];

  clear(): void {
    this.#from.length = this.#to.length = 0;
  }

  /** Index of the first stretch that ends behind `position`. */
  #behind(position: number): number {
    let low = 0;
    let high = this.#to.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#to[middle]! > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  has(position: number): boolean {
    const at = this.#behind(position);
    return at < this.#from.length && this.#from[at]! <= position;
  }

  add(from: number, to: number): void {
    const last = this.#to.length - 1;
    if (last < 0 || from > this.#to[last]!) {
      this.#from.push(from);
      this.#to.push(to);
      if (last + 2 > MOST) {
        this.#from = this.#from.slice(MOST / 2);
        this.#to = this.#to.slice(MOST / 2);
      }
    } else if (from >= this.#from[last]!) this.#to[last] = Math.max(this.#to[last]!, to);
    else this.#insert(from, to);
  }

  #insert(from: number, to: number): void {
    const at = this.#behind(from - 1);
    let end = at;
    let [least, most] = [from, to];
    while (end < this.#from.length && this.#from[end]! <= to) {
      least = Math.min(least, this.#from[end]!);
      most = Math.max(most, this.#to[end]!);
      end++;
    }
    this.#from.splice(at, end - at, least);
    this.#to.splice(at, end - at, most);
  }

  remove(from: number, to: number): void {
    const rest: [from: number, to: number][] = [];
    const at = this.#behind(from);
    let end = at;
    for (; end < this.#from.length && this.#from[end]! < to; end++) {
      if (this.#from[end]! < from) rest.push([this.#from[end]!, from]);
      if (this.#to[end]! > to) rest.push([to, this.#to[end]!]);
    }
    this.#from.splice(at, end - at, ...rest.map(([start]) => start));
    this.#to.splice(at, end - at, ...rest.map(([, stop]) => stop));
  }

  /** Number of positions of [from, to) in the set. */
  within(from: number, to: number): number {
    let sum = 0;
    this.each(from, to, (a, b) => {
      sum += b - a;
    });
    return sum;
  }

  /** Visits the stretches of the set within [from, to). */
  each(from: number, to: number, visit: (from: number, to: number) => void): void {
    for (let i = this.#behind(from); i < this.#from.length && this.#from[i]! < to; i++)
      visit(Math.max(from, this.#from[i]!), Math.min(to, this.#to[i]!));
  }
}
