'use client';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { count } from '../../format/number';
import { connectionAround } from '../../model/connection-around';
import type { PacketRows } from '../../model/packet-rows';
import { cn } from '../../ui/cn';
import { KIND_LINE } from './kind-style';
import { inkOf, operationText, psnText } from './list-columns';
import { useListSettings, type ListSettings } from './list-settings';

/** Packets before and after the chosen one. */
const REACH = 60;
/** Rows from the ends of the drawn stretch at which it moves on. */
const EDGE = 8;
/** Pixels. */
const ROW = 26;

export interface LadderViewProps {
  rows: PacketRows;
  selected: number | null;
  onSelect: (index: number) => void;
}

/** Packets of one connection around the chosen one, one below the other: who sent what, and with which PSN. */
export function LadderView({ rows, selected, onSelect }: LadderViewProps) {
  const { psn: how } = useListSettings();
  const pane = useRef<HTMLDivElement>(null);
  const at = selected ?? 0;
  const { length } = rows;
  const flow = rows.flow(at);
  const pair = flow?.pair;
  // The window stays where it is while the chosen packet is well within, so that nothing moves under the pointer.
  const [center, setCenter] = useState(at);
  const near = useMemo(
    () => (length > 0 && pair !== undefined ? connectionAround(rows, center, REACH) : []),
    [rows, length, center, pair],
  );
  const place = near.indexOf(at);
  if (center !== at && (place < EDGE || place >= near.length - EDGE)) setCenter(at);
  useEffect(() => {
    const { current } = pane;
    const top = place * ROW;
    if (!current || place < 0) return;
    if (top < current.scrollTop || top + ROW > current.scrollTop + current.clientHeight)
      current.scrollTop = top - (current.clientHeight - ROW) / 2;
  }, [place, at]);
  if (!flow)
    return (
      <p className="px-3 py-2 text-13 text-ink-3">
        The connection of this packet is not known. Choose a packet with a name in the QP column.
      </p>
    );
  const [left, right] = flow.ends;
  function onKeyDown(e: KeyboardEvent) {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    e.preventDefault();
    const next = near[place + (e.key === 'ArrowDown' ? 1 : -1)];
    if (next !== undefined) onSelect(next);
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex justify-between border-b px-14 py-1 text-12 font-medium" title={flow.title}>
        <span>{left}</span>
        <span>{right}</span>
      </div>
      <div
        ref={pane}
        role="listbox"
        aria-label={`Ladder of ${left} and ${right}, arrow keys to select`}
        tabIndex={0}
        aria-activedescendant={place < 0 ? undefined : `ladder-${at}`}
        onKeyDown={onKeyDown}
        className="thin-scroll min-h-0 flex-1 overflow-auto -outline-offset-2"
      >
        {near.map((index) => (
          <Step key={index} {...{ rows, index, how, onSelect }} chosen={index === at} />
        ))}
      </div>
    </div>
  );
}

function Step(props: {
  rows: PacketRows;
  index: number;
  how: ListSettings['psn'];
  chosen: boolean;
  onSelect: (index: number) => void;
}) {
  const { rows, index, how, chosen, onSelect } = props;
  const row = rows.at(index);
  const flow = rows.flow(index);
  if (!row || !flow) return <div style={{ height: ROW }} />;
  const marks = rows.marks(index);
  const again = marks.includes('retransmission');
  const ink = inkOf(row.kind, marks).operation;
  const color = marks.includes('icrc-bad') ? 'var(--error)' : again ? 'var(--retx)' : KIND_LINE[row.kind];
  const psn = psnText(row, rows.relativePsn(index), how);
  const side = cn('num w-14 shrink-0 truncate px-1.5 text-12', ink);
  return (
    // The list has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`ladder-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onClick={() => onSelect(index)}
      className={cn(
        'group relative flex cursor-default items-center',
        chosen ? 'bg-accent-wash' : 'hover:bg-hover',
      )}
      style={{ height: ROW }}
    >
      <span className="sr-only">
        Packet {count(index + 1)}, {flow.label}:{' '}
      </span>
      <span className={cn(side, 'text-right')}>{flow.back ? '' : psn}</span>
      <span className="relative h-full min-w-0 flex-1 border-x border-line-strong">
        <svg
          viewBox={`0 0 100 ${ROW}`}
          preserveAspectRatio="none"
          className="absolute inset-0 h-full w-full"
          aria-hidden
        >
          <path
            d={flow.back ? `M100 6L0 ${ROW - 6}` : `M0 6L100 ${ROW - 6}`}
            stroke={color}
            strokeWidth={again || row.kind === 'nak' || row.kind === 'rnr' ? 2 : 1.5}
            strokeDasharray={again ? '5 3' : undefined}
            vectorEffect="non-scaling-stroke"
            fill="none"
          />
        </svg>
        <svg
          width="8"
          height="8"
          aria-hidden
          className={cn('absolute', flow.back ? 'left-0' : 'right-0')}
          style={{ top: ROW - 10 }}
        >
          <path d={flow.back ? 'M0 4L8 0V8Z' : 'M8 4L0 0V8Z'} fill={color} />
        </svg>
        <span className={cn('absolute inset-x-0 top-1 text-center text-12 leading-4', ink)}>
          <span className="bg-panel px-1 group-aria-selected:bg-accent-wash">
            {operationText(row)}
            {again ? ' again' : ''}
          </span>
        </span>
      </span>
      <span className={side}>{flow.back ? psn : ''}</span>
    </div>
  );
}
