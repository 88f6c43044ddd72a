'use client';
import { useSearchParams } from 'next/navigation';
import { useMemo, useState, type ReactNode } from 'react';
import type { PageHandle } from '../../actions/types';
import { Arrivals } from './arrivals';
import { both, useFilter, type Filtering } from './use-filter';
import { neighbour, placeIn, withoutArrivals, type PacketRows } from '../../model/packet-rows';

export interface Listed {
  /** The packet that the address names, if the list has it. */
  selected: number | null;
  /** Packets that are listed; null for all of them. */
  only: readonly number[] | null;
  /** How many would be listed without a filter. */
  unfiltered: number;
  filtering: Filtering;
  /** Chooses the packet above or below; missing from an empty list. */
  handle: PageHandle;
  /** Which packets are listed, with a button for the others; null if each is in the capture once. */
  arrivals: ReactNode;
}

/**
 * What a list of packets shows of a capture taken at both ends: packets as they were sent, or their arrivals too.
 * `settled`: whether `rows` knows its arrivals yet.
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
  // A run's rows grow in place, so their number stands for them.
  const once = useMemo(() => {
    void length;
    return rows && settled ? withoutArrivals(rows) : null;
  }, [rows, length, settled]);

  // A link may lead to an arrival: then it has to be listed.
  const sent = once === null || arrivals || (selected !== null && placeIn(once, selected) < 0) ? null : once;
  const filtering = useFilter(rows);
  const passing = filtering.result?.passing ?? null;
  const only = useMemo(() => both(sent, passing), [sent, passing]);
  const handle = useMemo(() => {
    if ((only?.length ?? length) === 0) return {};
    const move = (by: 1 | -1) => select(neighbour({ length, only, selected }, by));
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
