import type { Filter } from '@verbslab/roce';
import { useLayoutEffect, useRef, useState } from 'react';
import type { PacketRows } from '../../model/packet-rows';

/** Longest time for which filtering blocks the page, and interval between updates of the list. */
const SLICE_MS = 12;
const SHOW_MS = 200;
/** Packets between two readings of the clock. */
const STRIDE = 256;

export interface Passing {
  /** Packets that pass the filter so far. */
  passing: readonly number[];
  /** Number of packets checked so far. */
  looked: number;
}

interface Job {
  rows: PacketRows;
  filter: Filter;
  found: number[];
  at: number;
}

/** Checks some packets. Returns true if there are no more, or a promise to wait for before the next ones. */
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
 * Packets that pass a filter, checked in slices so that the page stays responsive. New packets are checked as they
 * arrive. Null without a filter. `length` is that of `rows`, which may grow in place.
 */
export function usePassing(rows: PacketRows | null, length: number, filter: Filter | null): Passing | null {
  const job = useRef<Job | null>(null);
  const [result, setResult] = useState<{ of: Job; passing: readonly number[]; looked: number } | null>(null);
  // Before the browser paints, so that a list that is immediately available does not flicker.
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
