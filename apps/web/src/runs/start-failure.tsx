'use client';
import { isFinal, isFinalSweep } from '@verbslab/protocol';
import { useState } from 'react';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { sweepHref } from '../sweeps/sweep-href';
import { useSweeps } from '../sweeps/use-sweep';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote, type Failure } from '../ui/states';
import { runHref } from './figures';

/** Why a run did not start. When a sweep or another run is in the way, leads to it; a run can be cancelled here. */
export function StartFailure({ failure, className }: { failure: Failure; className: string }) {
  const busy = useAgent((s) => s.runs?.find((run) => !isFinal(run.state) && run.waitingFor === null));
  const [problem, setProblem] = useState<Failure | null>(null);
  const isBusy = failure.code === 'RUN_BUSY';
  const sweep = useSweeps(isBusy).sweeps?.findLast(({ state }) => !isFinalSweep(state) && state !== 'paused');
  if (isBusy && sweep !== undefined)
    return (
      <FailureNote
        failure={failure}
        className={className}
        action={
          <PageLink href={sweepHref(sweep.id)} className={buttonStyle()}>
            Open sweep {sweep.number}
          </PageLink>
        }
      />
    );
  if (!isBusy || busy === undefined) return <FailureNote failure={failure} className={className} />;
  const cancel = () => {
    request('run.cancel', { runId: busy.id }).catch((e: unknown) => setProblem(toFailure(e)));
  };
  return (
    <FailureNote
      failure={problem ?? failure}
      className={className}
      action={
        <>
          <PageLink href={runHref(busy.id)} className={buttonStyle()}>
            Open run {busy.number}
          </PageLink>
          <Button kind="danger" onClick={cancel}>
            Cancel run {busy.number}
          </Button>
        </>
      }
    />
  );
}
