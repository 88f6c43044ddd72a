'use client';
import type { LabProgress } from '@verbslab/protocol';
import { useState } from 'react';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import { AskDialog } from '../ui/ask-dialog';
import { Button } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote, type Failure } from '../ui/states';
import type { LabListing } from '../model/catalog-search';
import { nextLab, type CheckCounts } from '../model/progress';

/** Number of labs that were run, the next lab, and a way to start over. */
export function ProgressLine(props: {
  labs: readonly LabListing[];
  progress: readonly LabProgress[];
  checks: CheckCounts;
}) {
  const { labs, progress, checks } = props;
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = labs.filter(({ id }) => progress.some((one) => one.lab === id && one.runs > 0)).length;
  const next = nextLab(labs, progress, checks);
  async function reset() {
    setAsking(false);
    setFailure(null);
    try {
      await request('progress.reset', {});
    } catch (e) {
      setFailure(toFailure(e));
    }
  }
  return (
    <div data-progress className="mb-6">
      <p className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
        <span className="num">
          {run} of {labs.length} labs run.
        </span>
        {next === null ? (
          <span>All self-checks are answered.</span>
        ) : (
          <span>
            {next.why === 'run' ? 'Next: ' : 'Next, answer the self-checks of: '}
            <PageLink
              href={`/labs/${next.lab.id}`}
              className="inline-flex min-h-8 items-center text-accent underline underline-offset-4 pointer-coarse:min-h-11"
            >
              {next.lab.question}
            </PageLink>
          </span>
        )}
        {progress.length > 0 ? (
          <Button kind="quiet" onClick={() => setAsking(true)}>
            Reset progress
          </Button>
        ) : null}
      </p>
      {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      <AskDialog
        open={asking}
        title="Reset progress?"
        keep="Keep progress"
        go="Reset progress"
        danger
        onKeep={() => setAsking(false)}
        onGo={() => void reset()}
      >
        The agent forgets which labs were run and which self-checks were answered. Your runs stay under Runs.
      </AskDialog>
    </div>
  );
}
