'use client';
import { isFinal } from '@verbslab/protocol';
import { useState } from 'react';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote, type Failure } from '../ui/states';
import { runHref } from './figures';

/** Why a run did not start. When another is in the way, leads to it and offers to cancel it. */
export function StartFailure({ failure, className }: { failure: Failure; className: string }) {
  const busy = useAgent((s) => s.runs?.find((run) => !isFinal(run.state) && run.waitingFor === null));
  const [problem, setProblem] = useState<Failure | null>(null);
  if (failure.code !== 'RUN_BUSY' || busy === undefined)
    return <FailureNote failure={failure} className={className} />;
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
