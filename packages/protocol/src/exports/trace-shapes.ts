// Events of Chrome's Trace Event Format, which Perfetto reads too.

export type Thread = readonly [pid: number, tid: number];

/**
 * Times of the format are microseconds. Readers multiply them by 1000 and cut off what is left, so a fraction that is
 * rounded down would lose a nanosecond, and slices that touch would overlap.
 */
export function us(ns: number): number {
  const whole = Math.round(ns);
  const time = whole / 1000;
  return Math.trunc(time * 1000) < whole ? time * (1 + Number.EPSILON) : time;
}

/** Something that takes no time. */
export const instant = (cat: string, name: string, t: number, [pid, tid]: Thread, args: object): object => ({
  ph: 'i',
  s: 't',
  cat,
  name,
  ts: us(t),
  pid,
  tid,
  args,
});

export const slice = (
  cat: string,
  name: string,
  from: number,
  to: number,
  [pid, tid]: Thread,
  args: object,
): object => ({
  ph: 'X',
  cat,
  name,
  ts: us(from),
  dur: us(Math.round(to) - Math.round(from)),
  pid,
  tid,
  args,
});

/** The values of a counter from a time on. What is unknown has none. */
export function counter(name: string, t: number, pid: number, values: Record<string, number>): object[] {
  const args = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
  return Object.keys(args).length === 0 ? [] : [{ ph: 'C', cat: 'counter', name, ts: us(t), pid, args }];
}

/** An edge of a slice that others may overlap: edges with the same ID belong together. */
export const edge = (
  ph: 'b' | 'e',
  cat: string,
  id: string,
  name: string,
  t: number,
  pid: number,
): object => ({
  ph,
  cat,
  id,
  name,
  ts: us(t),
  pid,
  tid: pid,
});

/** Names a process or a thread, or gives a thread its place among the others. */
export const named = (
  name: 'process_name' | 'thread_name' | 'thread_sort_index',
  [pid, tid]: Thread,
  args: object,
): object => ({ ph: 'M', name, pid, tid, args });
