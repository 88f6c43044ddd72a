/** Arithmetic on 24-bit packet sequence numbers. */
export const PSN_MODULUS = 1 << 24;

/** Signed distance from `a` to `b` modulo 2^24: positive when `b` is ahead. */
export function psnDistance(a: number, b: number): number {
  const d = (b - a) & 0xffffff;
  return d >= 0x800000 ? d - PSN_MODULUS : d;
}

/** Undoes the wrap: turns PSNs into distances from the first one, each taken as near as possible to the last. */
export class PsnLine {
  private last = 0;
  constructor(readonly base: number) {}
  /** Distance of a PSN. With `advance` false the reference point stays where it is. */
  place(psn: number, advance = true): number {
    const at = this.last + psnDistance((this.base + this.last) & 0xffffff, psn);
    if (advance) this.last = at;
    return at;
  }
}
