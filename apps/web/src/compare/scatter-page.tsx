'use client';
import { ID_FORM, rowOf, type RunRow } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { toFailure } from '../connection/failure';
import { lazyPart } from '../connection/lazy-part';
import { request, useAgent } from '../connection/store';
import { useKept } from '../connection/use-kept';
import { useOwnCrumb } from '../frame/crumb-store';
import { useResultTables } from '../parts/results/tables-store';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty, FailureNote, Skeleton, type Failure } from '../ui/states';

const Scatter = lazyPart(async () => (await import('./scatter')).Scatter, ChartSkeleton);

interface Fetched {
  runs: RunRow[];
  missing: { id: string; failure: Failure }[];
}

/** Rows of these runs: those of the list, and of the others one by one. Null until all are known. */
function useRows(ids: readonly string[]): Fetched | null {
  const listed = useAgent((s) => s.runs);
  const unknown = ids.filter((id) => !listed?.some((run) => run.id === id));
  const { kept: others } = useKept(listed && unknown.length > 0 ? unknown.join(' ') : null, async () => {
    const found = new Map<string, RunRow | Failure>();
    for (const runId of unknown)
      found.set(runId, await request('run.get', { runId }).then(({ run }) => rowOf(run), toFailure));
    return found;
  });
  return useMemo(() => {
    const found: Fetched = { runs: [], missing: [] };
    for (const id of ids) {
      const one = listed?.find((run) => run.id === id) ?? others?.get(id);
      if (!listed || !one) return null;
      if ('id' in one) found.runs.push(one);
      else found.missing.push({ id, failure: one });
    }
    return found;
  }, [ids, listed, others]);
}

/** `/runs/scatter?ids=…`: any number of runs as points of goodput and CPU time. */
export function ScatterPage() {
  const asked = useSearchParams().get('ids') ?? '';
  const ids = useMemo(() => [...new Set(asked.split(',').filter((id) => ID_FORM.test(id)))], [asked]);
  const found = useRows(ids);
  const absent = useAbsent();
  const toggleTables = useResultTables((s) => s.toggle);
  usePageHandle(useMemo(() => ({ 'toggle-tables': toggleTables }), [toggleTables]));
  useOwnCrumb('Throughput and cost', 'Throughput and cost');
  return (
    <>
      <h1 className="text-28 font-semibold">Throughput and cost</h1>
      {ids.length === 0 ? (
        <Empty
          action={
            <PageLink href="/runs" className={buttonStyle({ kind: 'primary' })}>
              Choose runs
            </PageLink>
          }
        >
          Runs are points of one chart here: their goodput and the CPU time that it cost. Select them in the
          list of runs, then press Scatter.
        </Empty>
      ) : found === null ? (
        absent ? (
          <Absent what="The chart is shown here" />
        ) : (
          <ChartSkeleton />
        )
      ) : (
        <>
          {found.missing.map(({ id, failure }) => (
            <div key={id} data-words data-refused={id}>
              <FailureNote
                failure={{ ...failure, what: `Run ${id} is left out. ${failure.what}` }}
                className="mt-3"
              />
            </div>
          ))}
          <div className="mt-4">
            <Scatter records={found.runs} level={2} />
          </div>
        </>
      )}
    </>
  );
}

function ChartSkeleton() {
  return (
    <div aria-busy className="mt-4">
      <Skeleton className="h-80 w-full" />
    </div>
  );
}

/** The page's shape before the query of its address is known. */
export function ScatterSkeleton() {
  return (
    <>
      <h1 className="text-28 font-semibold">Throughput and cost</h1>
      <ChartSkeleton />
    </>
  );
}
