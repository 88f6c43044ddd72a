import type { Stream } from '../model/stream';
import type { Item } from './pen';

interface Listed {
  of?: Item['of'];
  name: string;
  stream: Stream;
}

/** Position of an item: the index of its stream, and of its event in it. */
interface Place {
  stream: number;
  i: number;
}

/** Index of the first event after a time. */
function after(stream: Stream, t: number): number {
  let i = stream.at(t);
  while (i < stream.length && stream.time(i) === t) i++;
  return i;
}

function placeOf(list: readonly Listed[], { t, ref }: { t: number; ref: number }): Place | null {
  for (const [stream, { stream: events }] of list.entries()) {
    const i = events.find(ref);
    if (i >= 0 && events.time(i) === t) return { stream, i };
  }
  return null;
}

const itemAt = ({ of = 'packet', name, stream }: Listed, i: number): Item => ({
  of,
  ref: stream.item(i),
  t: stream.time(i),
  text: name,
});

/** The next or the previous of all events, ordered by time and then by stream. */
export function neighborOf(
  list: readonly Listed[],
  from: { t: number; ref: number } | null,
  by: 1 | -1,
): Item | null {
  const here = from && placeOf(list, from);
  const t = from?.t ?? (by === 1 ? -Infinity : Infinity);
  let best: Item | null = null;
  for (const [number, one] of list.entries()) {
    const { stream } = one;
    const i = ((): number => {
      if (here?.stream === number) return here.i + by;
      // At the same time, events of earlier streams come first.
      const before = here !== null && number < here.stream;
      if (by === 1) return before ? after(stream, t) : stream.at(t);
      return (here === null || before ? after(stream, t) : stream.at(t)) - 1;
    })();
    if (i < 0 || i >= stream.length) continue;
    const closer = best === null || (by === 1 ? stream.time(i) < best.t : stream.time(i) >= best.t);
    if (closer) best = itemAt(one, i);
  }
  // The keys stop at the end.
  return best ?? (here && itemAt(list[here.stream]!, here.i));
}

/** The next or the previous item of a list in order of time. */
export function neighborIn(
  items: readonly Item[],
  after: { t: number; ref: number } | null,
  by: 1 | -1,
): Item | null {
  if (items.length === 0) return null;
  if (after === null) return by === 1 ? items[0]! : items.at(-1)!;
  const at = items.findIndex(({ ref, t }) => ref === after.ref && t === after.t);
  if (at >= 0) return items[Math.min(items.length - 1, Math.max(0, at + by))]!;
  return (by === 1 ? items.find(({ t }) => t >= after.t) : items.findLast(({ t }) => t <= after.t)) ?? null;
}
