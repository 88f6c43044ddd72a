'use client';
import { ID_FORM, rowOf, type RunRow } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { toFailure } from '../connection/failure';
import { lazyPart } from '../connection/lazy-part';
import { request, useAgent } from '../connection/store';
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
  const connected = useAgent((s) => s.status === 'open');
  const listed = useAgent((s) => s.runs);
  const [fetched, setFetched] = useState<ReadonlyMap<string, RunRow | Failure>>(new Map());
  const unknown =
    listed === null
      ? ''
      : ids.filter((id) => !fetched.has(id) && !listed.some((run) => run.id === id)).join(' ');
  useEffect(() => {
    if (!connected || unknown === '') return;
    let gone = false;
    const read = async () => {
      for (const runId of unknown.split(' ')) {
        const found = await request('run.get', { runId }).then(({ run }) => rowOf(run), toFailure);
        if (gone) return;
        setFetched((old) => new Map(old).set(runId, found));
      }
    };
    void read();
    return () => {
      gone = true;
    };
    // Each answer makes the list shorter; the ones on their way go on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [connected, unknown === '']);
  return useMemo(() => {
    if (listed === null || unknown !== '') return null;
    const found: Fetched = { runs: [], missing: [] };
    for (const id of ids) {
      const one = listed.find((run) => run.id === id) ?? fetched.get(id);
      if (one && 'id' in one) found.runs.push(one);
      else if (one) found.missing.push({ id, failure: one });
    }
    return found;
  }, [ids, listed, fetched, unknown]);
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
