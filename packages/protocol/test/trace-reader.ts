// Reads a trace as its viewers do, and believes nothing.
import { expect } from 'vitest';
import { z } from 'zod';
import type { ExportItem } from '../src/exports/index.js';
import { write } from './written.js';

const zPlace = { pid: z.int().min(1), tid: z.int().min(1) };
const zEvent = {
  cat: z.string().min(1),
  name: z.string().min(1),
  ts: z.number().min(0),
  pid: z.int().min(1),
};
const zArgs = z.looseObject({});

/** Chrome's Trace Event Format, as far as it is written: the members that each phase must have. */
const zMeta = { ph: z.literal('M'), ...zPlace };
const zTraceEvent = z.union([
  z.strictObject({
    ...zMeta,
    name: z.enum(['process_name', 'thread_name']),
    args: z.strictObject({ name: z.string() }),
  }),
  z.strictObject({
    ...zMeta,
    name: z.literal('thread_sort_index'),
    args: z.strictObject({ sort_index: z.int32() }),
  }),
  z.strictObject({ ph: z.literal('X'), ...zEvent, ...zPlace, dur: z.number().min(0), args: zArgs }),
  z.strictObject({ ph: z.literal('i'), ...zEvent, ...zPlace, s: z.literal('t'), args: zArgs }),
  z.strictObject({ ph: z.literal('C'), ...zEvent, args: z.record(z.string(), z.number()) }),
  z.strictObject({ ph: z.enum(['B', 'E']), ...zEvent, ...zPlace, args: zArgs }),
  z.strictObject({ ph: z.enum(['b', 'e']), ...zEvent, ...zPlace, id: z.string() }),
]);
export type TraceEvent = z.infer<typeof zTraceEvent>;
const zTrace = z.strictObject({
  displayTimeUnit: z.literal('ns'),
  otherData: z.record(z.string(), z.string()),
  traceEvents: z.array(zTraceEvent),
});

/** Nanoseconds that viewers compute from the format's microseconds. */
const ns = (time: number): number => Math.trunc(time * 1000);

/** Each thread has one process and a name, before its first event. */
function expectNames(events: readonly TraceEvent[]): void {
  const processes = new Set<number>();
  const threads = new Map<number, number>();
  for (const one of events) {
    if (one.ph === 'M' && one.name === 'process_name') processes.add(one.pid);
    if (one.ph === 'M' && one.name === 'thread_name') {
      expect(threads.has(one.tid)).toBe(false);
      threads.set(one.tid, one.pid);
    }
    expect(processes).toContain(one.pid);
    if (one.ph === 'X' || one.ph === 'i' || one.ph === 'B' || one.ph === 'E')
      expect(threads.get(one.tid)).toBe(one.pid);
  }
  for (const pid of processes) expect(threads.has(pid)).toBe(false);
}

/** Slices of one thread lie one in another or apart. */
function expectNested(events: readonly TraceEvent[]): void {
  const rows = new Map<string, (TraceEvent & { ph: 'X' })[]>();
  for (const one of events) {
    if (one.ph !== 'X') continue;
    const key = `${one.pid} ${one.tid}`;
    rows.set(key, [...(rows.get(key) ?? []), one]);
  }
  for (const row of rows.values()) {
    const open: number[] = [];
    // Slices that begin together: the first one in the file contains the others.
    for (const { ts, dur, name } of row.toSorted((a, b) => ns(a.ts) - ns(b.ts))) {
      while (open.length > 0 && open.at(-1)! <= ns(ts)) open.pop();
      const end = ns(ts) + ns(dur);
      if (open.length > 0) expect(end, name).toBeLessThanOrEqual(open.at(-1)!);
      open.push(end);
    }
  }
}

/** The events of a trace that viewers can show as it is meant. */
export async function traceOf(items: readonly ExportItem[]): Promise<TraceEvent[]> {
  const { traceEvents } = zTrace.parse(JSON.parse(await write('trace', items)));
  expectNames(traceEvents);
  expectNested(traceEvents);
  return traceEvents;
}

/** Names of the threads on which there are such events, with the names of the events. */
export function rowsOf(events: readonly TraceEvent[], ph: TraceEvent['ph']): Record<string, string[]> {
  const titles = new Map(
    events.flatMap((one) =>
      one.ph === 'M' && one.name === 'thread_name' ? [[one.tid, one.args.name] as const] : [],
    ),
  );
  const rows: Record<string, string[]> = {};
  for (const one of events)
    if (one.ph === ph && 'tid' in one) (rows[titles.get(one.tid) ?? ''] ??= []).push(one.name);
  return rows;
}
