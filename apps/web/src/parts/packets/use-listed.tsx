'use client';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState, type ReactNode } from 'react';
import type { PageHandle } from '../../actions/types';
import { Arrivals } from './arrivals';
import { both, useFilter, type Filtering } from './use-filter';
import { neighbor, placeIn, withoutArrivals, type PacketRows } from '../../model/packet-rows';

export interface Listed {
  /** Packet in the address, if the list has it. */
  selected: number | null;
  /** Listed packets; null for all. */
  only: readonly number[] | null;
  /** Number of packets that would be listed without the filter. */
  unfiltered: number;
  filtering: Filtering;
  /** Actions that select the packet above or below; empty for an empty list. */
  handle: PageHandle;
  /** Note on the listed packets, with a button for the others; null if each packet is in the capture once. */
  arrivals: ReactNode;
}

/**
 * Listed packets of a capture from both ends: packets as they were sent, or their arrivals too. `settled`: true once
 * `rows` knows its arrivals.
 */
export function useListed(
  rows: PacketRows | null,
  settled: boolean,
  select: (index: number) => void,
): Listed {
  const asked = Number(useSearchParams().get('packet')) - 1;
  const length = rows?.length ?? 0;
  const selected = Number.isInteger(asked) && asked >= 0 && asked < length ? asked : null;
  const [arrivals, setArrivals] = useState(false);
  // The rows of a run grow in place, so their number is the dependency.
  const once = useMemo(() => {
    void length;
    return rows && settled ? withoutArrivals(rows) : null;
  }, [rows, length, settled]);

  // A link may lead to an arrival, which then has to be listed.
  const sent = once === null || arrivals || (selected !== null && placeIn(once, selected) < 0) ? null : once;
  const filtering = useFilter(rows, settled);
  const passing = filtering.result?.passing ?? null;
  const only = useMemo(() => both(sent, passing), [sent, passing]);
  const handle = useMemo(() => {
    if ((only?.length ?? length) === 0) return {};
    const move = (by: 1 | -1) => select(neighbor({ length, only, selected }, by));
    return { 'next-item': () => move(1), 'previous-item': () => move(-1) };
  }, [length, only, select, selected]);

  function toggle(departures: readonly number[]) {
    setArrivals(sent !== null);
    if (sent !== null || selected === null || placeIn(departures, selected) >= 0) return;
    select(departures.findLast((index) => index < selected) ?? departures[0]!);
  }
  return {
    selected,
    only,
    unfiltered: sent?.length ?? length,
    filtering,
    handle,
    arrivals: once && (
      <Arrivals all={length} once={once.length} shown={sent === null} onToggle={() => toggle(once)} />
    ),
  };
}
