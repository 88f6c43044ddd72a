'use client';
import { isFinal, PROGRAM_VIEW, RUN_STATES, type RunRecord, type RunState } from '@verbslab/protocol';
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useRef, useState } from 'react';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { toFailure } from '../connection/failure';
import { loadRuns, request, useAgent } from '../connection/store';
import { Button, buttonStyle, IconButton } from '../ui/button';
import { cn } from '../ui/cn';
import { Dialog } from '../ui/dialog';
import { Empty, FailureNote, Skeleton, type Failure } from '../ui/states';
import { RUN_COLUMNS } from './columns';
import { columnClass, ColumnTitle, RunCell } from './run-table';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const columns: ColumnDef<typeof features, RunRecord>[] = RUN_COLUMNS.map((c) => ({
  id: c.id,
  accessorFn: (run) => c.sort(run) ?? undefined,
  sortUndefined: 'last' as const,
  header: c.title,
}));
const NONE: RunRecord[] = [];

/** History: every run with its figures, filtered by lab and state, sorted by any column. The URL holds the filter. */
export function RunsPage() {
  const runs = useAgent((s) => s.runs);
  const more = useAgent((s) => s.moreRuns);
  const older = useAgent((s) => s.olderRuns);
  const unreadable = useAgent((s) => s.unreadableRuns);
  const absent = useAbsent();
  const labs = useAgent((s) => s.labs);
  const router = useRouter();
  const query = useSearchParams();
  const lab = query.get('lab') ?? '';
  const state = query.get('state') ?? '';
  const [sorting, setSorting] = useState<SortingState>([{ id: 'number', desc: true }]);
  const [selected, setSelected] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<RunRecord | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);

  const shown = useMemo(
    () => (runs ?? NONE).filter((r) => (!lab || r.lab === lab) && (!state || r.state === state)),
    [runs, lab, state],
  );
  const table = useTable({
    features,
    columns,
    data: shown,
    state: { sorting },
    onSortingChange: setSorting,
    getRowId: (r) => r.id,
    enableSortingRemoval: false,
  });
  const rows = table.getRowModel().rows;

  function filter(name: 'lab' | 'state', value: string) {
    const next = new URLSearchParams(query);
    if (value) next.set(name, value);
    else next.delete(name);
    router.replace(next.size > 0 ? `/runs?${next}` : '/runs');
  }

  const order = rows.map((r) => r.id).join(' ');
  const handle = useMemo(() => {
    const ids = order ? order.split(' ') : [];
    const run = runs?.find((r) => r.id === selected);
    return {
      move: (by: 1 | -1) => {
        const i = selected ? ids.indexOf(selected) : -1;
        const next = ids[Math.min(ids.length - 1, Math.max(0, i + by))];
        if (!next) return;
        setSelected(next);
        const link = body.current?.querySelector<HTMLElement>(`[data-run="${next}"] a`);
        link?.focus();
        link?.scrollIntoView({ block: 'nearest' });
      },
      ...(run && isFinal(run.state) ? { deleteSelected: () => setDoomed(run) } : {}),
    };
  }, [order, runs, selected]);
  usePageHandle(handle);

  async function remove(run: RunRecord) {
    setDoomed(null);
    setFailure(null);
    try {
      await request('run.delete', { runId: run.id });
    } catch (e) {
      setFailure(toFailure(e));
    }
  }

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Runs</h1>
        <div className="flex flex-wrap gap-3">
          <Choice
            label="Lab"
            value={lab}
            options={[...labs, PROGRAM_VIEW].map((l) => [l.id, l.title] as const)}
            onChange={(v) => filter('lab', v)}
          />
          <Choice
            label="State"
            value={state}
            options={RUN_STATES.map((s: RunState) => [s, s] as const)}
            onChange={(v) => filter('state', v)}
          />
        </div>
      </div>
      {failure ? <FailureNote failure={failure} className="mt-4" /> : null}
      <div className="mt-4">
        {runs === null && absent ? (
          <Absent what="The list of runs is shown here" />
        ) : runs === null ? (
          <RowsSkeleton />
        ) : rows.length === 0 ? (
          <div className="border-y">
            <Empty
              action={
                lab || state ? (
                  <Button onClick={() => router.replace('/runs')}>Show all runs</Button>
                ) : (
                  <Link href="/labs" className={buttonStyle({ kind: 'primary' })}>
                    Choose a lab
                  </Link>
                )
              }
            >
              {lab || state
                ? 'No run fits this filter.'
                : 'Every run will be kept here with its parameters, figures and packets. Nothing has been run yet.'}
            </Empty>
          </div>
        ) : (
          <table className="w-full">
            <thead className="border-y text-12 text-ink-3">
              <tr>
                {RUN_COLUMNS.map((c) => {
                  const sorted =
                    sorting[0]?.id === c.id ? (sorting[0].desc ? 'descending' : 'ascending') : undefined;
                  return (
                    <th
                      key={c.id}
                      scope="col"
                      aria-sort={sorted ?? 'none'}
                      className={cn('align-bottom font-normal', columnClass(c))}
                    >
                      <button
                        type="button"
                        onClick={() => table.getColumn(c.id)?.toggleSorting()}
                        className={cn(
                          'inline-flex h-10 items-end gap-1 pb-0.5 pointer-coarse:h-11',
                          c.numeric && 'flex-row-reverse text-right',
                        )}
                      >
                        <span>
                          <ColumnTitle column={c} />
                        </span>
                        {sorted === 'descending' ? <ArrowDown size={12} aria-hidden /> : null}
                        {sorted === 'ascending' ? <ArrowUp size={12} aria-hidden /> : null}
                      </button>
                    </th>
                  );
                })}
                <th className="w-10">
                  <span className="sr-only">Delete</span>
                </th>
              </tr>
            </thead>
            <tbody ref={body} className="divide-y border-b">
              {rows.map((row) => (
                <tr
                  key={row.id}
                  data-run={row.id}
                  onFocus={() => setSelected(row.id)}
                  className={cn('hover:bg-hover', selected === row.id && 'bg-accent-wash')}
                >
                  {RUN_COLUMNS.map((c) => (
                    <td key={c.id} className={cn('h-9 py-1', columnClass(c), c.numeric && 'num')}>
                      <RunCell column={c} run={row.original} />
                    </td>
                  ))}
                  <td className="text-right">
                    <IconButton
                      label={`Delete run ${row.original.number}`}
                      disabled={!isFinal(row.original.state)}
                      onClick={() => setDoomed(row.original)}
                    >
                      <Trash2 size={14} aria-hidden />
                    </IconButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {more && runs && runs.length > 0 ? (
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <Button onClick={() => void loadRuns(runs.at(-1)!.number)}>Older runs</Button>
            <span className="text-13 text-ink-3">
              {lab || state
                ? `The filter covers the ${runs.length} newest runs; ${older} older ones are not loaded.`
                : `${older} older runs are not loaded.`}
            </span>
          </div>
        ) : null}
        {unreadable.length > 0 ? (
          <p className="mt-3 text-13 text-ink-2">
            {unreadable.length === 1 ? 'Run ' : 'Runs '}
            {unreadable.join(', ')} cannot be read by this version of Verbs Lab. Open the history with the
            version that wrote it.
          </p>
        ) : null}
      </div>
      <Dialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        label="Delete this run?"
        className="w-[min(28rem,calc(100vw-2rem))]"
      >
        <div className="p-5">
          <h2 className="text-16 font-semibold">Delete run {doomed?.number}?</h2>
          <p className="mt-2 text-ink-2">Its figures, events and capture are removed for good.</p>
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setDoomed(null)}>Keep it</Button>
            <Button kind="danger" onClick={() => doomed && void remove(doomed)}>
              Delete
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

function RowsSkeleton() {
  return (
    <div aria-busy className="border-y">
      {Array.from({ length: 8 }, (_, i) => (
        <div key={i} className="flex h-9 items-center border-b last:border-b-0">
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  );
}

/** The page's shape before the query of its address is known. */
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

function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (v: string) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-13">
      <span className="text-ink-3">{props.label}</span>
      <select
        value={props.value}
        onChange={(e) => props.onChange(e.target.value)}
        className="h-8 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        <option value="">all</option>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
