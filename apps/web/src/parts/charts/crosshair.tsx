'use client';
import { usePlot } from '@verbslab/charts';
import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { create } from 'zustand';
import { sig3 } from '../../format/number';
import { cn } from '../../ui/cn';

/** Values over x: one object an x, flat keys; a missing value has no line in the tip. */
export type CrosshairRow = Readonly<Record<string, number | undefined>>;

export interface TipLine {
  key: string;
  name: string;
  color: string;
  /** Marked by a dot on the chart at its value. */
  dot?: boolean;
}

export interface CrosshairProps {
  /** Charts that share an x axis name the same group, and show the same x. */
  group: string;
  rows: readonly CrosshairRow[];
  /** The key of x in the rows, which are in its order. */
  by: string;
  lines: readonly TipLine[];
  unit: string;
  title: (row: CrosshairRow) => string;
  /** A click and Enter open the marked row. */
  onOpen?: (row: CrosshairRow) => void;
  /** What Enter does with the marked point. */
  opens?: string;
}

/** The place on the x axis that the crosshair of each group marks. */
const useLook = create<Record<string, number | null>>(() => ({}));

/** Index of the row nearest to a value of x; -1 when there is none. */
export function nearestRow(rows: readonly CrosshairRow[], by: string, x: number): number {
  let low = 0;
  let high = rows.length - 1;
  if (high < 0) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rows[middle]![by]! <= x) low = middle;
    else high = middle;
  }
  return Math.abs(rows[high]![by]! - x) < Math.abs(rows[low]![by]! - x) ? high : low;
}

/** The rows that have a value to show: the others are holes. */
export const rowsWithValues = (
  rows: readonly CrosshairRow[],
  lines: readonly TipLine[],
): readonly CrosshairRow[] => rows.filter((row) => lines.some(({ key }) => row[key] !== undefined));

/** A line through the marked row, chosen here or in another chart of the group, and its values. */
export function Crosshair(props: CrosshairProps) {
  const { group, rows, by, lines, unit, title, onOpen, opens = 'opens the runs of the marked point' } = props;
  const { label, x, y, area } = usePlot();
  const look = useLook((s) => s[group] ?? null);
  const row = look === null ? undefined : rows[nearestRow(rows, by, look)];
  const nearest = (e: MouseEvent): CrosshairRow | undefined => {
    const px = e.clientX - e.currentTarget.getBoundingClientRect().left;
    let found: CrosshairRow | undefined;
    let least = Infinity;
    for (const r of rowsWithValues(rows, lines)) {
      const away = Math.abs(x(r[by]!) - px);
      if (away >= least) continue;
      least = away;
      found = r;
    }
    return found;
  };
  const move = (e: PointerEvent) => useLook.setState({ [group]: nearest(e)?.[by] ?? null });
  // A finger has left the plot when its click comes, so the row is looked up once more.
  const open = (e: MouseEvent) => {
    const found = nearest(e);
    if (found) onOpen?.(found);
  };
  /** Left and right go from row to row, Home and End to the first and the last, Enter opens the marked one, Esc puts the crosshair away. */
  const keys = (e: KeyboardEvent) => {
    const stops = rowsWithValues(rows, lines);
    const last = stops.length - 1;
    const now = look === null ? null : nearestRow(stops, by, look);
    const goal = {
      ArrowLeft: now === null ? last : Math.max(0, now - 1),
      ArrowRight: now === null ? 0 : Math.min(last, now + 1),
      Home: 0,
      End: last,
    }[e.key];
    if (goal !== undefined && last >= 0) {
      useLook.setState({ [group]: stops[goal]![by]! });
      e.preventDefault();
    } else if (e.key === 'Enter' && now !== null && onOpen) {
      onOpen(stops[now]!);
      e.preventDefault();
    } else if (e.key === 'Escape' && now !== null) {
      useLook.setState({ [group]: null });
      e.stopPropagation();
    }
  };
  const at = row ? x(row[by]!) : 0;
  const shown = row ? lines.filter((l) => row[l.key] !== undefined) : [];
  const onLeft = at > area.x + area.width / 2;
  return (
    // Arrow keys move the crosshair, as the pointer does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="application"
      aria-label={`${label}. Arrow keys move the crosshair.${onOpen ? ` Enter ${opens}.` : ''}`}
      tabIndex={0}
      onKeyDown={keys}
      className={cn('absolute inset-0 touch-pan-y outline-none', onOpen && 'cursor-pointer')}
      onPointerMove={move}
      onPointerDown={move}
      onPointerLeave={() => useLook.setState({ [group]: null })}
      onClick={onOpen ? open : undefined}
    >
      {row && shown.length > 0 ? (
        <>
          <svg aria-hidden className="pointer-events-none absolute inset-0 h-full w-full">
            <path d={`M${at} ${area.y}V${area.y + area.height}`} stroke="var(--ink-2)" strokeWidth={1} />
            {shown.map((l) =>
              l.dot ? <circle key={l.key} cx={at} cy={y(row[l.key]!)} r={3} fill={l.color} /> : null,
            )}
          </svg>
          <div
            role="status"
            data-tip={group}
            className="pointer-events-none absolute z-10 rounded-[3px] border border-line-strong bg-panel px-2 py-1 text-12 whitespace-nowrap"
            style={{ top: area.y, ...(onLeft ? { right: `calc(100% - ${at - 10}px)` } : { left: at + 10 }) }}
          >
            <div className="num text-ink-3">{title(row)}</div>
            {shown.map((l) => (
              <div key={l.key} className="flex items-center gap-2">
                <svg width="8" height="8" aria-hidden>
                  <rect width="8" height="8" fill={l.color} />
                </svg>
                <span className="text-ink-2">{l.name}</span>
                <span className="num ml-auto pl-3">
                  {sig3(row[l.key])} <span className="unit">{unit}</span>
                </span>
              </div>
            ))}
          </div>
        </>
      ) : null}
    </div>
  );
}
