/** Maps data to pixels. */
export type Scale = (value: number) => number;
export type Domain = readonly [number, number];

function linear([from, to]: Domain, [a, b]: Domain): Scale {
  const perUnit = (b - a) / (to - from || 1);
  return (v) => a + (v - from) * perUnit;
}

function log([from, to]: Domain, range: Domain): Scale {
  const scale = linear([Math.log(from), Math.log(to)], range);
  return (v) => scale(Math.log(v));
}

/** Scales from data to a range of pixels or percent. */
export const SCALES = { linear, log };
