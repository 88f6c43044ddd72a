// Events of Chrome's Trace Event Format, which Perfetto reads too.

export type Thread = readonly [pid: number, tid: number];

/**
 * Time in microseconds, as the format requires. Readers multiply by 1000 and truncate. A fraction rounded down would
 * lose a nanosecond, and adjacent slices would overlap.
 */
export function us(ns: number): number {
  const whole = Math.round(ns);
  const time = whole / 1000;
  return Math.trunc(time * 1000) < whole ? time * (1 + Number.EPSILON) : time;
}

/** An event without duration. */
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

/** The values of a counter from a time on. Unknown values are left out. */
export function counter(name: string, t: number, pid: number, values: Record<string, number>): object[] {
  const args = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
  return Object.keys(args).length === 0 ? [] : [{ ph: 'C', cat: 'counter', name, ts: us(t), pid, args }];
}

/** An edge of a slice that may overlap others. Edges with the same id belong together. */
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

/** Names a process or a thread, or sets the sort order of a thread. */
export const named = (
  name: 'process_name' | 'thread_name' | 'thread_sort_index',
  [pid, tid]: Thread,
  args: object,
): object => ({ ph: 'M', name, pid, tid, args });
