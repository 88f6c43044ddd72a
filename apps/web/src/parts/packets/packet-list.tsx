'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { useWidth } from '../../ui/use-width';
import { addressWidth, ONE_LINE } from './list-columns';
import { ListPages, useListPage } from './list-pages';
import { HeadRow, PacketRowView } from './packet-row-view';
import { useListSettings } from './list-settings';
import { placeIn, type PacketRows } from '../../model/packet-rows';
import { useRowsVersion } from './use-rows-version';

const ROW = 24;
/** Height of a row with two lines, as tall as a finger is wide. */
const TALL_ROW = 44;

export interface PacketListProps {
  rows: PacketRows;
  /** Listed rows, if not all are listed. */
  only?: readonly number[];
  selected: number | null;
  onSelect: (index: number) => void;
  /** Phase of the run at a time, if it distinguishes packets. */
  phaseAt?: ((t: number) => string | null) | undefined;
}

/** Packets, one a row: when, between whom, what, and which PSN. */
export function PacketList({ rows, only, selected, onSelect, phaseAt }: PacketListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  useRowsVersion(rows);
  const settings = useListSettings();
  const width = useWidth(scroll);
  const height = width !== null && width < ONE_LINE ? TALL_ROW : ROW;
  const length = only?.length ?? rows.length;
  const indexAt = (k: number) => (only ? only[k]! : k);
  const place = selected === null ? -1 : only ? placeIn(only, selected) : selected;
  const page = useListPage(length, place);
  const virtual = useVirtualizer({
    count: page.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 6,
    initialRect: { width: 0, height: 240 },
    // The heading is above the first row and covers the rows that scroll under it.
    scrollMargin: ROW,
    scrollPaddingStart: ROW,
  });

  // The virtual list caches row heights, so it measures again when they change.
  useEffect(() => virtual.measure(), [virtual, height]);

  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place - page.from, { align: 'auto' });
    // Only a new selection scrolls; new rows must not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [place]);

  function onKeyDown(e: KeyboardEvent) {
    const shown = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 240) / height) - 1);
    const by: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: shown,
      PageUp: -shown,
      Home: -length,
      End: length,
    };
    const step = by[e.key];
    if (step === undefined || length === 0) return;
    e.preventDefault();
    onSelect(indexAt(Math.min(length - 1, Math.max(0, (place < 0 ? (step > 0 ? -1 : 0) : place) + step))));
  }

  const zero = rows.zero ?? rows.time(0) ?? 0;
  /** Time from which that of a row counts. */
  function timeBefore(at: number): number {
    if (settings.time === 'first') return zero;
    return rows.time(indexAt(Math.max(0, at - 1))) ?? zero;
  }
  return (
    <>
      <div
        ref={scroll}
        role="grid"
        data-records="packets"
        aria-label="Packets, arrow keys to select"
        aria-rowcount={length + 1}
        aria-activedescendant={place < 0 ? undefined : `packet-${selected}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ '--address': addressWidth(rows) } as CSSProperties}
        className="thin-scroll @container min-h-0 flex-1 overflow-auto -outline-offset-2"
      >
        <div role="rowgroup" className="sticky top-0 z-[1] bg-panel">
          <HeadRow settings={settings} phased={phaseAt !== undefined} />
        </div>
        <div role="rowgroup">
          <div role="presentation" className="relative" style={{ height: page.length * height }}>
            {virtual.getVirtualItems().map((item) => {
              const index = indexAt(page.from + item.index);
              const row = rows.at(index);
              if (!row) return null;
              const at = page.from + item.index;
              return (
                <PacketRowView
                  key={item.index}
                  row={row}
                  rows={rows}
                  place={at}
                  settings={settings}
                  timeNs={row.t - timeBefore(at)}
                  selected={index === selected}
                  onSelect={onSelect}
                  phase={phaseAt?.(row.t)}
                  height={height}
                  top={item.start - ROW}
                />
              );
            })}
          </div>
        </div>
      </div>
      {rows.failed ? (
        <p className="border-t px-3 py-1 text-13 text-error-ink" role="status">
          The file can no longer be read: it was changed, moved or deleted. Open it again.
        </p>
      ) : null}
      <ListPages
        page={page}
        onTurn={() => {
          scroll.current!.scrollTop = 0;
        }}
      />
    </>
  );
}
