import type { Filter } from '@verbslab/roce';
import { useLayoutEffect, useRef, useState } from 'react';
import type { PacketRows } from '../../model/packet-rows';

/** The page is not kept longer than that at a time; the list follows a few times per second. */
const SLICE_MS = 12;
const SHOW_MS = 200;
/** Packets between two looks at the clock. */
const STRIDE = 256;

export interface Passing {
  /** Packets that pass the filter, as far as they have been looked at. */
  passing: readonly number[];
  /** How many have been looked at. */
  looked: number;
}

interface Job {
  rows: PacketRows;
  filter: Filter;
  found: number[];
  at: number;
}

/** Looks at some packets: true when there are no more, or what to wait for before the next ones. */
function advance(job: Job): boolean | Promise<void> {
  const { rows, filter, found } = job;
  const end = performance.now() + SLICE_MS;
  while (job.at < rows.length && performance.now() < end) {
    const stop = Math.min(job.at + STRIDE, rows.length);
    const coming = rows.ready?.(job.at, stop);
    if (coming) return coming;
    for (; job.at < stop; job.at++) if (filter.matches(rows.filtered(job.at))) found.push(job.at);
  }
  return job.at >= rows.length;
}

/**
 * The packets that pass a filter, looked at in slices so that the page stays at hand. Packets that arrive are looked
 * at as they come. Null without a filter. `length` is that of `rows`, which may grow in place.
 */
export function usePassing(rows: PacketRows | null, length: number, filter: Filter | null): Passing | null {
  const job = useRef<Job | null>(null);
  const [result, setResult] = useState<{ of: Job; passing: readonly number[]; looked: number } | null>(null);
  // Before the browser paints: a list that is at hand at once does not flicker.
  useLayoutEffect(() => {
    if (!rows || !filter) return;
    if (job.current?.rows !== rows || job.current.filter !== filter)
      job.current = { rows, filter, found: [], at: 0 };
    const mine = job.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    let shown = performance.now();
    function step() {
      if (!wanted) return;
      const state = advance(mine);
      const done = state === true;
      const now = performance.now();
      if (done || now - shown > SHOW_MS) {
        shown = now;
        setResult({ of: mine, passing: mine.found.slice(), looked: mine.at });
      }
      if (typeof state === 'object') void state.then(step);
      else if (!done) timer = setTimeout(step);
    }
    step();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [rows, length, filter]);
  if (!rows || !filter) return null;
  return result?.of.rows === rows && result.of.filter === filter ? result : { passing: [], looked: 0 };
}
