import type { Filter } from '@verbslab/roce';
import { useLayoutEffect, useRef, useState } from 'react';
import type { PacketRows } from '../../model/packet-rows';
import { run, type Scan } from './packet-scan';

/** Interval between updates of the list. */
const SHOW_MS = 200;

export interface Passing {
  /** Packets that pass the filter so far. */
  passing: readonly number[];
  /** Number of packets checked so far. */
  looked: number;
}

type Job = Scan & { found: number[]; settled: boolean };

function jobOf(rows: PacketRows, filter: Filter, settled: boolean): Job {
  const found: number[] = [];
  return { rows, filter, settled, found, see: (index) => found.push(index), at: 0 };
}

/** True if a pass over the packets still counts: those of a filter by marks change once the marks are known. */
const holds = (job: Job, rows: PacketRows, filter: Filter, settled: boolean): boolean =>
  job.rows === rows && job.filter === filter && (job.settled === settled || !filter.needs.marks);

/**
 * Packets that pass a filter, checked in slices so that the page stays responsive. New packets are checked as they
 * arrive. Null without a filter. `length` is that of `rows`, which may grow in place; `settled`: true once `rows` knows
 * its marks.
 */
export function usePassing(
  rows: PacketRows | null,
  length: number,
  filter: Filter | null,
  settled: boolean,
): Passing | null {
  const job = useRef<Job | null>(null);
  const [result, setResult] = useState<{ of: Job; passing: readonly number[]; looked: number } | null>(null);
  // Before the browser paints, so that a list that is immediately available does not flicker.
  useLayoutEffect(() => {
    if (!rows || !filter) return;
    if (!job.current || !holds(job.current, rows, filter, settled))
      job.current = jobOf(rows, filter, settled);
    const mine = job.current;
    return run(mine, SHOW_MS, () => setResult({ of: mine, passing: mine.found.slice(), looked: mine.at }));
  }, [rows, length, filter, settled]);
  if (!rows || !filter) return null;
  return result?.of.rows === rows && result.of.filter === filter ? result : { passing: [], looked: 0 };
}
