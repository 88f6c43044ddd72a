'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { cn } from '../../ui/cn';
import { useWidth } from '../../ui/use-width';
import { KIND_INK } from './kind-style';
import { ListPages, useListPage } from './list-pages';
import { placeIn, type PacketRows } from '../../model/packet-rows';
import { useRowsVersion } from './use-rows-version';

const ROW = 24;
/** Height of a row with two lines, and the width in rem (Tailwind's @2xl) from which a single line suffices. */
const TALL_ROW = 44;
const ONE_LINE = 42;
const GRID =
  'grid grid-cols-[3.5rem_5.5rem_1fr] gap-x-3 px-3 @2xl:grid-cols-[4rem_6rem_var(--address)_var(--address)_4rem_3rem_1fr]';
/** Grid with the phase of the run as the last column. */
const PHASED =
  '@2xl:grid-cols-[4rem_6rem_var(--address)_var(--address)_4rem_3rem_minmax(0,3fr)_minmax(0,1fr)]';
const WIDE = 'hidden @2xl:block';
/** Second line of a packet, if it has two. */
const INFO = '@max-2xl:col-span-full @max-2xl:row-start-2';

export interface PacketListProps {
  rows: PacketRows;
  /** Listed rows, if not all are listed. */
  only?: readonly number[];
  selected: number | null;
  onSelect: (index: number) => void;
  /** Phase of the run at a time, if it distinguishes packets. */
  phaseAt?: ((t: number) => string | null) | undefined;
}

/** Width for the addresses of the first rows, so that the Info column gets the rest. */
function addressWidth(rows: PacketRows): string {
  let longest = 0;
  for (let i = 0; i < Math.min(rows.length, 100); i++) {
    const row = rows.at(i);
    if (row) longest = Math.max(longest, row.src.length, row.dst.length);
  }
  return `${Math.min(9, Math.max(4.5, longest * 0.47))}rem`;
}

/** Packets with Wireshark's columns: No., Time, Source, Destination, Protocol, Length, Info. */
export function PacketList({ rows, only, selected, onSelect, phaseAt }: PacketListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  useRowsVersion(rows);
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

  const zero = rows.zero ?? rows.at(0)?.t ?? 0;
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
          <div role="row" className={cn(GRID, phaseAt && PHASED, 'h-6 border-b text-12 text-ink-3')}>
            <Head right>No.</Head>
            <Head right>Time, s</Head>
            <Head className={WIDE}>Source</Head>
            <Head className={WIDE}>Destination</Head>
            <Head className={WIDE}>Protocol</Head>
            <Head right>Length</Head>
            <Head className={WIDE}>Info</Head>
            {phaseAt ? <Head className={WIDE}>Phase</Head> : null}
          </div>
        </div>
        <div role="rowgroup">
          <div role="presentation" className="relative" style={{ height: page.length * height }}>
            {virtual.getVirtualItems().map((item) => {
              const index = indexAt(page.from + item.index);
              const p = rows.at(index);
              if (!p) return null;
              const remarks = rows.remarks(index);
              const marks = rows.marks(index);
              const again = marks.includes('retransmission');
              const copy = marks.includes('copy');
              const prefix = rows.prefix(index);
              const odd = prefix !== '' && !again && !copy;
              const isSelected = index === selected;
              const cell = 'truncate';
              return (
                // The list has the focus and handles the keys.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                <div
                  key={item.index}
                  id={`packet-${index}`}
                  role="row"
                  tabIndex={-1}
                  aria-rowindex={page.from + item.index + 2}
                  aria-selected={isSelected}
                  onClick={() => onSelect(index)}
                  title={remarks.join('; ') || undefined}
                  className={cn(
                    GRID,
                    phaseAt && PHASED,
                    'num absolute inset-x-0 cursor-default content-center items-center text-12',
                    isSelected ? 'bg-accent-wash' : 'hover:bg-hover',
                  )}
                  style={{ height, transform: `translateY(${item.start - ROW}px)` }}
                >
                  <div role="gridcell" className={cn(cell, 'text-right text-ink-3')}>
                    {index + 1}
                  </div>
                  <div role="gridcell" className={cn(cell, 'text-right')}>
                    {((p.t - zero) / 1e9).toFixed(6)}
                  </div>
                  <div role="gridcell" className={cn(cell, WIDE)}>
                    {p.src}
                  </div>
                  <div role="gridcell" className={cn(cell, WIDE)}>
                    {p.dst}
                  </div>
                  <div role="gridcell" className={cn(cell, WIDE)}>
                    {p.protocol}
                  </div>
                  <div role="gridcell" className={cn(cell, 'text-right')}>
                    {p.originalLength}
                  </div>
                  <div
                    role="gridcell"
                    className={cn(
                      cell,
                      INFO,
                      copy ? 'text-ink-3' : again ? 'text-retx-ink' : KIND_INK[p.kind],
                    )}
                  >
                    {prefix === '' ? null : (
                      <span className={odd ? 'text-error-ink' : undefined}>{prefix}</span>
                    )}
                    {p.info}
                  </div>
                  {phaseAt ? (
                    <div role="gridcell" className={cn(cell, WIDE, 'font-sans text-ink-2')}>
                      {phaseAt(p.t)}
                    </div>
                  ) : null}
                </div>
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

function Head({ children, right, className }: { children: string; right?: boolean; className?: string }) {
  return (
    <div role="columnheader" className={cn('truncate', right && 'text-right', className)}>
      {children}
    </div>
  );
}
