/** What becomes of the filter in place: replaced, narrowed, or narrowed to the other packets. */
export type FilterUse = 'only' | 'and' | 'not';

const TOKENS = /"(?:[^"\\]|\\.)*"|[()]|\|\||\bor\b/g;

/** True for a filter with an `or` outside of parentheses, which binds less tightly than `&&`. */
function isLoose(filter: string): boolean {
  let depth = 0;
  for (const [token] of filter.matchAll(TOKENS)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && !token.startsWith('"')) return true;
  }
  return false;
}

const tight = (filter: string): string => (isLoose(filter) ? `(${filter})` : filter);

/** The filter that follows from the one in place and that of a field. */
export function combineFilter(current: string, added: string, use: FilterUse): string {
  if (use === 'only') return added;
  const before = current.trim();
  const part = use === 'not' ? `!(${added})` : before === '' ? added : tight(added);
  if (before === '') return part;
  return before.split(' && ').includes(part) ? before : `${tight(before)} && ${part}`;
}

/** Seconds with the digits of a nanosecond. */
const seconds = (ns: number): string => (ns / 1e9).toFixed(9).replace(/\.?0+$/, '');

const STRETCH = /^frame\.time_relative (>=|<) \S+$/;

/** The filter in place, narrowed to a stretch of time, which takes the place of an earlier stretch. */
export function stretchFilter(current: string, fromNs: number, toNs: number): string {
  const rest = current
    .split(' && ')
    .filter((term) => !STRETCH.test(term))
    .join(' && ');
  const stretch = `frame.time_relative >= ${seconds(fromNs)} && frame.time_relative < ${seconds(toNs)}`;
  return combineFilter(rest, stretch, rest === '' ? 'only' : 'and');
}
