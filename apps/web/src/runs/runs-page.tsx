'use client';
import { isFinal, type RunRow } from '@verbslab/protocol';
import { MOST_COMPARED, plural } from '@verbslab/labs';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { compareHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { NotLoaded } from '../connection/not-loaded';
import { loadOlderRuns, useAgent } from '../connection/store';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { ProviderBadges } from '../ui/provider-badge';
import { Empty, FailureNote, Skeleton } from '../ui/states';
import { Unreadable } from '../ui/unreadable';
import { commonProvider, runColumns, type RunColumn } from './columns';
import { ImportButton, ImportDrop, ImportStatus, useRunImport } from './import-run';
import { HEADLINE } from './headline';
import { FigureChoice, ListFilters, SortChoice } from './list-filters';
import { isLimited, needsAll, UNFILTERED, useListQuery, type Sort } from '../parts/run/list-query';
import { parameterText, resultText } from '../parts/run/parameters';
import { RunTable, type RunRows } from './run-table';
import { runFilter } from '../parts/run/search';
import { sortRuns } from './sort-runs';
import { shownOf, ticked, type Selection } from './selection';
import { DeleteDialog, SelectionBar } from './selection-bar';
import { useDeletion } from './use-deletion';
import { useNoted } from './use-noted';

const NONE: RunRow[] = [];

/** History page: all runs with their figures, searched, filtered and sorted by the address. */
export function RunsPage() {
  const runs = useAgent((s) => s.runs);
  const more = useAgent((s) => s.moreRuns);
  const older = useAgent((s) => s.olderRuns);
  const unreadable = useAgent((s) => s.unreadableRuns);
  const labs = useAgent((s) => s.labs);
  const absent = useAbsent();
  const router = useRouter();
  const [query, change] = useListQuery();
  const parameters = useMemo(() => parameterText(labs), [labs]);
  const columns = useMemo(() => runColumns(labs, parameters, resultText(labs)), [parameters, labs]);
  const noted = useNoted(query.q);
  const fits = useMemo(() => runFilter(parameters, noted), [parameters, noted]);
  const tags = useMemo(() => [...new Set((runs ?? NONE).flatMap((run) => run.tags ?? []))].sort(), [runs]);
  const limited = isLimited(query);
  useWholeHistory(needsAll(query));

  const fitting = useMemo(() => (runs ?? NONE).filter((run) => fits(run, query)), [runs, fits, query]);
  const sort = useMemo<Sort>(
    () => (columns.some(({ id }) => id === query.sort.id) ? query.sort : { id: 'number', desc: true }),
    [columns, query.sort],
  );
  const shown = useMemo(() => sortRuns(fitting, columns, sort), [fitting, columns, sort]);
  const figure = query.figure ?? (columns.some((c) => c.id === sort.id && c.figure) ? sort.id : HEADLINE);
  const provider = commonProvider(shown);
  const ids = shown.map(({ id }) => id).join(' ');
  const order = useMemo(() => (ids ? ids.split(' ') : []), [ids]);

  const list = useRef<HTMLDivElement>(null);
  const rows = useRef<RunRows>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [selection, setSelection] = useState<Selection>(new Set());
  const { asked, deleting, failure, ask, keep, confirm } = useDeletion(rows, heading, order);
  const lastTicked = useRef<string | null>(null);
  const onTick = useCallback(
    (id: string, on: boolean, range: boolean) => {
      const from = range ? lastTicked.current : null;
      lastTicked.current = id;
      setSelection((old) => ticked(old, order, id, on, from));
    },
    [order],
  );
  const onAll = useCallback((on: boolean) => setSelection(new Set(on ? order : [])), [order]);
  const picked = useMemo(() => {
    const chosen = new Set(shownOf(selection, order));
    return shown.filter(({ id }) => chosen.has(id));
  }, [selection, order, shown]);

  const importing = useRunImport();
  const { choose } = importing;
  const handle = useMemo(() => {
    if (asked) return {};
    const run = shown.find((r) => r.id === current);
    const chosen = picked.map(({ id }) => id);
    const doomed = (picked.length > 0 ? picked : run ? [run] : []).filter((r) => isFinal(r.state));
    const move = (by: 1 | -1) => {
      const i = current ? order.indexOf(current) : -1;
      const next = order[Math.min(order.length - 1, Math.max(0, i + by))];
      if (next !== undefined) rows.current?.focus(next);
    };
    return {
      'import-run': choose,
      ...(limited ? { 'clear-filter': () => change(UNFILTERED) } : {}),
      ...(chosen.length > 0 ? { 'clear-selection': () => onAll(false) } : {}),
      'next-item': () => move(1),
      'previous-item': () => move(-1),
      ...(run ? { 'select-item': () => onTick(run.id, !selection.has(run.id), false) } : {}),
      ...(doomed.length > 0 ? { 'delete-selected': () => ask(doomed) } : {}),
      ...(chosen.length > 0 && chosen.length <= MOST_COMPARED
        ? { 'compare-runs': () => router.push(compareHref(chosen)) }
        : {}),
    };
  }, [asked, ask, order, shown, current, picked, selection, onTick, onAll, limited, change, router, choose]);
  usePageHandle(handle);

  return (
    <ImportDrop {...importing}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-28 font-semibold outline-none">
          Runs
        </h1>
        <div className="flex flex-wrap gap-3">
          <ImportButton {...importing} />
          <PageLink href="/sweeps" className={buttonStyle()}>
            Sweeps
          </PageLink>
          <ListFilters query={query} change={change} labs={labs} tags={tags} />
        </div>
      </div>
      <ImportStatus {...importing} />
      {failure ? <FailureNote failure={failure} open className="mt-4" /> : null}
      <NotLoaded what="runs" className="mt-4" />
      <div className="mt-4" ref={list}>
        {runs === null && absent ? (
          <Absent what="The list of runs is shown here" />
        ) : runs === null ? (
          <RowsSkeleton />
        ) : (
          <>
            <p role="status" className="mb-2 flex items-center gap-3 text-13 text-ink-3">
              {limited && more
                ? `${plural(shown.length, 'run')} found so far. Searching ${older} older ones…`
                : `${limited ? `${shown.length} of ` : ''}${plural(runs.length + (limited ? 0 : older), 'run')}`}
              {provider ? <ProviderBadges {...provider} explained /> : null}
            </p>
            {shown.length === 0 ? (
              <Nothing limited={limited} onAll={() => change(UNFILTERED)} />
            ) : (
              <RunTable
                runs={shown}
                columns={columns}
                sort={sort}
                figure={figure}
                ref={rows}
                above={(isList, filled) => (
                  <div className="mb-2 flex flex-wrap items-center gap-3">
                    <FigureChoice
                      figure={figure}
                      columns={filled}
                      onChange={(next) => change({ figure: next })}
                    />
                    {isList ? (
                      <SortChoice sort={sort} columns={columns} onSort={(next) => change({ sort: next })} />
                    ) : null}
                  </div>
                )}
                onSort={(id) =>
                  change({ sort: { id, desc: sort.id === id ? !sort.desc : firstDescends(columns, id) } })
                }
                ticking={{ selection, onTick, onAll }}
                current={current}
                onCurrent={setCurrent}
              />
            )}
          </>
        )}
        {more && runs && runs.length > 0 && !limited ? (
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <Button onClick={() => void loadOlderRuns()}>Older runs</Button>
            <span className="text-13 text-ink-3">{older} older runs are not loaded.</span>
          </div>
        ) : null}
        <Unreadable what="Run" numbers={unreadable} />
      </div>
      <SelectionBar runs={picked} deleting={deleting} onDelete={ask} />
      <DeleteDialog runs={asked} onKeep={keep} onDelete={(doomed) => void confirm(doomed)} />
    </ImportDrop>
  );
}

/**
 * True if the first click on a column sorts in descending order: numbers start with the highest, text with the start of
 * the alphabet.
 */
const firstDescends = (columns: readonly RunColumn[], id: string): boolean =>
  columns.find((column) => column.id === id)?.numeric ?? false;

/** Loads page after page if the newest runs alone would give a wrong result. */
function useWholeHistory(needed: boolean): void {
  const more = useAgent((s) => s.moreRuns);
  const oldest = useAgent((s) => s.oldestRun);
  const before = needed && more ? oldest : null;
  useEffect(() => {
    if (before !== null) void loadOlderRuns();
  }, [before]);
}

function Nothing({ limited, onAll }: { limited: boolean; onAll: () => void }) {
  return (
    <div className="border-y">
      {limited ? (
        <Empty action={<Button onClick={onAll}>Show all runs</Button>}>No run matches.</Empty>
      ) : (
        <Empty
          action={
            <PageLink href="/labs" className={buttonStyle({ kind: 'primary' })}>
              Choose a lab
            </PageLink>
          }
        >
          Every run will be kept here with its parameters, figures and packets. Nothing has been run yet. To
          see a run of another host, export it there as a run bundle and import the file here.
        </Empty>
      )}
    </div>
  );
}

function RowsSkeleton() {
  return (
    <div aria-busy className="border-y">
      {Array.from({ length: 8 }, (_, i) => (
        <div key={i} className="flex h-10 items-center border-b last:border-b-0">
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  );
}

/** Skeleton of the page until the query of its address is known. */
export function RunsSkeleton() {
  return (
    <>
      <div className="flex h-[2.125rem] flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Runs</h1>
      </div>
      <div className="mt-4">
        <RowsSkeleton />
      </div>
    </>
  );
}
