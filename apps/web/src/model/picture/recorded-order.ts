/** Order and times of recorded events. */
import type { RecordedEvent } from './recording';

/** Order of events at the same time: causes before effects. */
const ORDER: readonly RecordedEvent['kind'][] = [
  ...(['call', 'posted', 'fetched', 'packet', 'retired', 'cqe', 'polled', 'state', 'async'] as const),
];

export const inOrder = (events: readonly RecordedEvent[]): RecordedEvent[] =>
  events.toSorted((a, b) => a.t - b.t || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** Events with times from `zero`, in whole nanoseconds. */
export function shifted(events: readonly RecordedEvent[], zero: number): RecordedEvent[] {
  const at = (t: number): number => Math.round(t - zero);
  const maybe = (t: number | null): number | null => (t === null ? null : at(t));
  return events.map((e): RecordedEvent => {
    const moved = { ...e, t: at(e.t), ...(e.since === undefined ? {} : { since: at(e.since) }) };
    if (moved.kind === 'call') return { ...moved, end: maybe(moved.end) };
    if (moved.kind !== 'packet') return moved;
    const { sent, arrived, from, to } = moved;
    return { ...moved, sent: maybe(sent), arrived: maybe(arrived), from: at(from), to: at(to) };
  });
}
