import { qpnText } from '@verbslab/protocol';
import type { PacketRow } from '@verbslab/roce';
import type { PacketRows } from '../../model/packet-rows';
import { cn } from '../../ui/cn';
import {
  detailText,
  GRID,
  inkOf,
  operationText,
  PHASED,
  psnText,
  SECOND_LEFT,
  SECOND_RIGHT,
  WIDE,
  WIDEST,
} from './list-columns';
import type { ListSettings } from './list-settings';

/** Cells of the heading, in the order of those of a packet. */
export function HeadRow({ settings, phased }: { settings: ListSettings; phased: boolean }) {
  return (
    <div role="row" className={cn(GRID, phased && PHASED, 'h-6 border-b text-12 text-ink-3')}>
      <Head right>No.</Head>
      <Head right>{settings.time === 'first' ? 'Time, s' : 'Δ time, s'}</Head>
      <Head className={WIDEST}>Source</Head>
      <Head className={WIDEST}>Destination</Head>
      <Head>QP</Head>
      <Head className={WIDE}>Opcode</Head>
      <Head right>PSN</Head>
      <Head right>Length</Head>
      <Head className={WIDE}>Info</Head>
      {phased ? <Head className={WIDE}>Phase</Head> : null}
    </div>
  );
}

export interface PacketRowProps {
  row: PacketRow;
  rows: PacketRows;
  /** Place of the row among all rows of the list, from 0. */
  place: number;
  settings: ListSettings;
  /** Nanoseconds that the time column shows. */
  timeNs: number;
  selected: boolean;
  onSelect: (index: number) => void;
  /** Phase of the run; missing in lists without phases. */
  phase: string | null | undefined;
  /** Pixels. */
  height: number;
  top: number;
}

/** A packet of the list. */
export function PacketRowView(props: PacketRowProps) {
  const { row, rows, place, settings, timeNs, selected, onSelect, phase, height, top } = props;
  const { index } = row;
  const marks = rows.marks(index);
  const prefix = rows.prefix(index);
  const odd = prefix !== '' && !marks.includes('retransmission') && !marks.includes('copy');
  const flow = rows.flow(index);
  const relative = rows.relativePsn(index);
  const ink = inkOf(row.kind, marks);
  const cell = 'truncate';
  return (
    // The list has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`packet-${index}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={place + 2}
      aria-selected={selected}
      onClick={() => onSelect(index)}
      title={rows.remarks(index).join('; ') || undefined}
      className={cn(
        GRID,
        phase !== undefined && PHASED,
        'num absolute inset-x-0 cursor-default content-center items-center text-12',
        ink.row,
        selected ? 'bg-accent-wash shadow-[inset_3px_0_var(--accent)]' : 'hover:bg-hover',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className={cn(cell, 'text-right', ink.row === '' && 'text-ink-3')}>
        {index + 1}
      </div>
      <div role="gridcell" className={cn(cell, 'text-right')}>
        {(timeNs / 1e9).toFixed(6)}
      </div>
      <div role="gridcell" className={cn(cell, WIDEST)}>
        {row.src}
      </div>
      <div role="gridcell" className={cn(cell, WIDEST)}>
        {row.dst}
      </div>
      <div role="gridcell" className={cell} title={flow?.title}>
        {flow?.label ?? (row.destQp === undefined ? '' : qpnText(row.destQp))}
      </div>
      <div role="gridcell" className={cn(cell, SECOND_LEFT, ink.operation)}>
        {operationText(row)}
      </div>
      <div
        role="gridcell"
        className={cn(cell, 'text-right', ink.operation)}
        title={relative === null ? undefined : `PSN ${row.psn}`}
      >
        {psnText(row, relative, settings.psn)}
      </div>
      <div role="gridcell" className={cn(cell, 'text-right')}>
        {row.originalLength}
      </div>
      <div role="gridcell" className={cn(cell, SECOND_RIGHT, ink.operation)}>
        {prefix === '' ? null : <span className={odd ? 'text-error-ink' : undefined}>{prefix}</span>}
        {detailText(row)}
      </div>
      {phase === undefined ? null : (
        <div role="gridcell" className={cn(cell, WIDE, 'font-sans text-ink-2')}>
          {phase}
        </div>
      )}
    </div>
  );
}

function Head({ children, right, className }: { children: string; right?: boolean; className?: string }) {
  return (
    <div role="columnheader" className={cn('truncate', right && 'text-right', className)}>
      {children}
    </div>
  );
}
