'use client';
import { MOST_COMPARED } from '@verbslab/labs';
import { useMemo } from 'react';
import { Absent, useAbsent } from '../connection/absent';
import { lazyPart } from '../connection/lazy-part';
import { useOwnCrumb } from '../frame/crumb-store';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty, FailureNote, Skeleton } from '../ui/states';
import { useCompareQuery } from './compare-query';
import { RunPicker } from './run-picker';
import { useCompared, type ComparedRuns } from './use-compared';

const OpenComparison = lazyPart(
  async () => (await import('./open-comparison')).OpenComparison,
  CompareBodySkeleton,
);

/** `/runs/compare?ids=a,b`: two to six runs side by side. */
export function ComparePage() {
  const [query, change] = useCompareQuery();
  const ids = useMemo(() => query.ids, [query.ids]);
  const found = useCompared(ids);
  const absent = useAbsent();
  useOwnCrumb('Compare', 'Compare runs');
  return (
    <>
      <h1 className="text-28 font-semibold">Compare runs</h1>
      <Refused refused={query.refused} tooMany={query.tooMany} found={found} />
      {ids.length === 0 ? (
        <Empty
          action={
            <PageLink href="/runs" className={buttonStyle({ kind: 'primary' })}>
              Choose runs
            </PageLink>
          }
        >
          Two to six runs are compared here: their parameters, figures, time series and latencies. Select them
          in the list of runs, then press Compare.
        </Empty>
      ) : found.waiting > 0 && absent ? (
        <Absent what="The comparison is shown here" />
      ) : found.waiting > 0 && found.runs.length < 2 ? (
        <CompareBodySkeleton />
      ) : found.runs.length > 1 ? (
        <OpenComparison found={found} query={query} change={change} />
      ) : (
        <>
          <p className="mt-3 text-ink-2">
            {found.runs.length === 1
              ? 'Choose the runs to compare this one with. Runs of the same lab compare best.'
              : 'None of these runs can be read. Choose others.'}
          </p>
          <RunPicker ids={found.runs.map(({ id }) => id)} open onChange={(next) => change({ ids: next })} />
        </>
      )}
    </>
  );
}

const OTHERS = 'The other runs are compared.';

/** Runs that are not compared, each with the reason. */
function Refused(props: { refused: readonly string[]; tooMany: number; found: ComparedRuns }) {
  const { refused, tooMany, found } = props;
  const notes = [
    ...refused.map((id) => ({
      key: id,
      what: `There is no run “${id}”.`,
      why: 'A run ID has ten letters and digits; the address may have been cut off.',
      cure: found.runs.length > 1 ? OTHERS : undefined,
    })),
    ...found.missing.map(({ id, failure }) => ({
      key: id,
      what: `Run ${id} is not compared. ${failure.what}`,
      why: failure.why,
      cure: found.runs.length > 1 ? OTHERS : failure.cure,
    })),
    ...(tooMany > 0
      ? [
          {
            key: 'many',
            what: `Too many runs: ${tooMany + MOST_COMPARED} (limit ${MOST_COMPARED}).`,
            why: undefined,
            cure: `The first ${MOST_COMPARED} are compared. Use the scatter chart of the list of runs for more.`,
          },
        ]
      : []),
  ];
  return notes.map(({ key, ...failure }) => (
    <div key={key} data-words data-refused={key}>
      <FailureNote failure={failure} className="mt-3" />
    </div>
  ));
}

/** The page's shape before its runs are known. */
export function CompareSkeleton() {
  return (
    <>
      <h1 className="text-28 font-semibold">Compare runs</h1>
      <CompareBodySkeleton />
    </>
  );
}

function CompareBodySkeleton() {
  return (
    <div aria-busy className="mt-4 space-y-6">
      <Skeleton className="h-5 w-full max-w-[48rem]" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
