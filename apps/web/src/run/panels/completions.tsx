'use client';
import { plural } from '@verbslab/labs';
import { lookupWcStatus, qpnText, WC_FLUSH, wcOpcodeName } from '@verbslab/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { runSessions } from '../../connection/store';
import { count, sig3 } from '../../format/number';
import { cn } from '../../ui/cn';
import { Button } from '../../ui/button';
import {
  newest,
  type CompletionRow,
  type CompletionSnapshot,
  type Drop,
} from '../../model/completion-snapshot';
import type { RunModel, Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import { polledIn, PolledTable } from './polled-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['completions', 'trace'];
const ROW = 24;
const GRID =
  'grid grid-cols-[4rem_minmax(0,1fr)_4.5rem] gap-x-3 px-3 ' +
  '@xl:grid-cols-[3.25rem_minmax(0,1fr)_4.25rem_4.25rem_4.25rem_3.75rem_4rem] @xl:gap-x-1.5 ' +
  '@[42rem]:grid-cols-[4rem_3.75rem_minmax(0,1fr)_4.25rem_4.25rem_4.25rem_3.75rem_4.5rem] @[42rem]:gap-x-2 ' +
  '@4xl:grid-cols-[6rem_5rem_minmax(0,1fr)_minmax(0,1fr)_5rem_6rem_5rem_6rem_3rem] @4xl:gap-x-3';
/** Classes of columns by the width of the panel from which they are shown. */
const HALF = 'hidden @xl:block';
const MIDDLE = 'hidden @[42rem]:block';
const WIDE = 'hidden @4xl:block';

/**
 * Stream of completions, newest first. All are counted; the list draws only the visible rows, ten times per second.
 * Scrolling down freezes the list, with all of the latest 65,536 in it.
 */
export default function CompletionsPanel({ view, lab, session }: PanelContentProps) {
  const [held, setHeld] = useState<CompletionSnapshot | null>(null);
  const asked = useRef(false);
  useTopics(view, TOPICS, 'list');
  const live = view.model.completions;
  const shown = held ?? live;
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: shown.kept,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 4,
    initialRect: { width: 0, height: 240 },
  });

  if (live.total === 0 && live.dropped === 0) {
    // A program's completions in the trace are only its first failures.
    const polled = lab ? polledIn(view.model) : [];
    if (lab && polled.length > 0) return <PolledTable polled={polled} model={view.model} lab={lab} />;
    return (
      <Waiting
        record={view.model.record}
        soon="Each completion appears here as it is polled: status, size, and how long its work request took."
        never={
          lab
            ? 'No completion was recorded: either none was polled, or the lab only counted them.'
            : 'No completion was polled.'
        }
      />
    );
  }

  function onScroll() {
    const top = scroll.current?.scrollTop ?? 0;
    if (top > ROW && !held) void hold();
    else if (top === 0 && held) setHeld(null);
  }

  /** Freezes the list. Only the newest completions are here, so the rest is requested. */
  async function hold() {
    if (asked.current) return;
    asked.current = true;
    const all = await runSessions()?.stillCompletions(session);
    asked.current = false;
    if (all && scroll.current && scroll.current.scrollTop > 0) setHeld(all);
  }

  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div
        className="flex min-h-6 flex-wrap items-center gap-x-4 px-3 text-13"
        data-completions={live.total}
        data-dropped={live.dropped}
      >
        <span>
          <span className="num" data-shows="completions">
            {count(live.total)}
          </span>{' '}
          <span className="text-ink-3">recorded</span>
        </span>
        <span className={cn(live.errors > 0 ? 'text-error-ink' : 'text-ink-3')}>
          <span className="num" data-shows="completion-errors">
            {count(live.errors)}
          </span>{' '}
          with an error
        </span>
        {live.flushes > 0 ? (
          <span className="text-ink-3">
            <span className="num" data-shows="completion-flushes">
              {count(live.flushes)}
            </span>{' '}
            flushed
          </span>
        ) : null}
        {live.dropped > 0 ? (
          <span className="text-retx-ink">
            <span className="num" data-shows="completions-dropped">
              {count(live.dropped)}
            </span>{' '}
            more counted, details not recorded
          </span>
        ) : null}
        {held ? (
          <Button
            kind="quiet"
            shape="tight"
            size="small"
            className="ml-auto"
            onClick={() => {
              setHeld(null);
              scroll.current?.scrollTo({ top: 0 });
            }}
          >
            Paused at {count(held.total)}. Resume
          </Button>
        ) : null}
      </div>
      <div
        role="table"
        data-records="completions"
        aria-label="Completions, newest first"
        aria-rowcount={shown.kept + 1}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div role="rowgroup">
          <div role="row" className={cn(GRID, 'border-b text-12 text-ink-3')}>
            <Head right className={MIDDLE}>
              No.
            </Head>
            <Head right>Time, s</Head>
            <Head>Opcode or error</Head>
            <Head className={HALF}>Side</Head>
            <Head right className={HALF}>
              Bytes
            </Head>
            <Head right>Latency, µs</Head>
            <Head right className={HALF}>
              QP
            </Head>
            <Head right className={HALF}>
              wr_id
            </Head>
            <Head right className={WIDE}>
              Batch
            </Head>
          </div>
        </div>
        {/* A scrolling region has to be reachable by keyboard. */}
        <div
          ref={scroll}
          role="rowgroup"
          tabIndex={0}
          onScroll={onScroll}
          className="thin-scroll min-h-0 flex-1 overflow-y-auto"
        >
          <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const row = newest(shown, item.index);
              return row ? (
                <CompletionLine
                  key={item.index}
                  row={row}
                  model={view.model}
                  top={item.start}
                  drop={dropBefore(shown, row.number)}
                />
              ) : null;
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function dropBefore(shown: CompletionSnapshot, number: number): Drop | undefined {
  return shown.drops.find((d) => d.before === number);
}

/** Side of the lab or process of the program that completed the request. */
function sideOf(model: RunModel, source: number): string {
  const known = model.sources.get(source);
  return (known?.role === 'process' ? known.endpoint : known?.role) ?? '';
}

/** Latency of a completion. A receive of a program has none: the time of the peer's post is unknown. */
function latencyText(ns: number): string {
  if (ns === 0) return '–';
  return ns === 0xffffffff ? '> 4.29 s' : sig3(ns / 1000);
}

function Head({ children, right, className }: { children: string; right?: boolean; className?: string }) {
  return (
    <div role="columnheader" className={cn('h-6 truncate', right && 'text-right', className)}>
      {children}
    </div>
  );
}

function CompletionLine(props: { row: CompletionRow; model: RunModel; top: number; drop: Drop | undefined }) {
  const { row, model, top, drop } = props;
  const status = row.status === 0 ? null : lookupWcStatus(row.status);
  const cell = 'truncate text-right';
  return (
    <div
      role="row"
      className={cn(
        GRID,
        'num absolute inset-x-0 h-6 items-center text-12',
        status && (row.status === WC_FLUSH ? 'text-ink-3' : 'text-error-ink'),
        drop && 'border-b-2 border-dashed border-retx',
      )}
      style={{ transform: `translateY(${top}px)` }}
      title={
        drop
          ? `${plural(drop.records, 'completion')} before this one ${drop.records === 1 ? 'was' : 'were'} counted, without ${drop.records === 1 ? 'its' : 'their'} details`
          : undefined
      }
    >
      <div role="cell" className={cn(cell, MIDDLE, 'text-ink-3')}>
        {count(row.number)}
      </div>
      <div role="cell" className={cell}>
        {(row.t / 1e9).toFixed(4)}
      </div>
      <div role="cell" className="truncate" title={status?.name}>
        {status ? status.name : wcOpcodeName(row.opcode)}
      </div>
      <div role="cell" className={cn(HALF, 'truncate')} title={sideOf(model, row.source)}>
        {sideOf(model, row.source)}
      </div>
      <div role="cell" className={cn(cell, HALF)}>
        {count(row.byteLen)}
      </div>
      <div role="cell" className={cell}>
        {latencyText(row.latency)}
      </div>
      <div role="cell" className={cn(cell, HALF)}>
        {qpnText(row.qpn)}
      </div>
      <div role="cell" className={cn(cell, HALF)}>
        {row.wrId}
      </div>
      <div role="cell" className={cn(cell, WIDE)}>
        {row.batch}
      </div>
    </div>
  );
}
