'use client';
import { useMemo } from 'react';
import { NotLoaded, useNotLoaded } from '../connection/not-loaded';
import { useAgent } from '../connection/store';
import { Empty } from '../ui/states';
import { ProviderBadges } from '../ui/provider-badge';
import { PageLink } from '../ui/page-link';
import { commonProvider, runColumns, type RunColumn } from './columns';
import { parameterText, resultText } from '../parts/run/parameters';
import { RecentWaiting } from './recent-waiting';
import { RunTable } from './run-table';

const SHOWN = 5;

/** Home has room for figures that speak for themselves. */
const comparable = (columns: readonly RunColumn[]): readonly RunColumn[] =>
  columns.filter(({ figure }) => !figure?.ownClock);

export function RecentTable() {
  const runs = useAgent((s) => s.runs);
  const older = useAgent((s) => s.olderRuns);
  const labs = useAgent((s) => s.labs);
  const columns = useMemo(() => comparable(runColumns(labs, parameterText(labs), resultText(labs))), [labs]);
  const failed = useNotLoaded('runs');
  if (runs === null && failed) return <NotLoaded what="runs" />;
  if (runs === null) return <RecentWaiting />;
  if (runs.length === 0) {
    return (
      <div className="border-y">
        <Empty>Nothing has been run yet. Your runs will be listed here with their figures.</Empty>
      </div>
    );
  }
  const shown = runs.slice(0, SHOWN);
  const provider = commonProvider(shown);
  return (
    <>
      <RunTable
        runs={shown}
        columns={columns}
        above={() =>
          provider ? (
            <div className="mb-2 flex flex-wrap gap-2">
              <ProviderBadges {...provider} />
            </div>
          ) : null
        }
      />
      {runs.length > SHOWN ? (
        <PageLink
          href="/runs"
          className="mt-2 inline-flex min-h-8 items-center text-accent hover:underline pointer-coarse:min-h-11"
        >
          All {runs.length + older} runs
        </PageLink>
      ) : null}
    </>
  );
}
