'use client';
import { isFinal, isFinalSweep } from '@verbslab/protocol';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { runHref, sweepHref } from '../../addresses';
import { toFailure } from '../../connection/failure';
import { request, useAgent } from '../../connection/store';
import { useSweeps } from '../../connection/use-sweep';
import { Button, buttonStyle } from '../../ui/button';
import { PageLink } from '../../ui/page-link';
import { FailureNote, type Failure } from '../../ui/states';

/**
 * Why a run did not start. When a sweep or another run is in the way, leads to it; a run can be cancelled here. A key starts
 * runs from anywhere on the page: while the place of the answer is out of sight, it stands at the top of the window too.
 */
export function StartFailure({ failure, className }: { failure: Failure; className: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(true);
  // The one that was closed: the next refusal comes again.
  const [closed, setClosed] = useState<Failure | null>(null);
  const [problem, setProblem] = useState<{ of: Failure; is: Failure } | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) =>
      setVisible(entries.some((entry) => entry.isIntersecting)),
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  const shown = problem?.of === failure ? problem.is : failure;
  const action = <WhatIsBusy code={failure.code} onProblem={(is) => setProblem({ of: failure, is })} />;
  return (
    <>
      <div ref={place} className={className}>
        <FailureNote failure={shown} action={action} />
      </div>
      {visible || closed === failure ? null : (
        <div
          data-refusal
          className="fixed top-14 right-4 left-4 z-20 flex items-start border border-error bg-error-wash sm:left-auto sm:w-[36rem] print:hidden"
        >
          <FailureNote failure={shown} action={action} className="min-w-0 flex-1 border-l-0" />
          <Button kind="quiet" aria-label="Close" className="m-2" onClick={() => setClosed(failure)}>
            <X size={16} aria-hidden />
          </Button>
        </div>
      )}
    </>
  );
}

/** Ways to what holds the devices; nothing where that is not why. */
function WhatIsBusy({ code, onProblem }: { code: string | undefined; onProblem: (why: Failure) => void }) {
  const isBusy = code === 'RUN_BUSY';
  const busy = useAgent((s) => s.runs?.find((run) => !isFinal(run.state) && run.waitingFor === null));
  const sweep = useSweeps(isBusy).kept?.sweeps.findLast(
    ({ state }) => !isFinalSweep(state) && state !== 'paused',
  );
  if (isBusy && sweep !== undefined)
    return (
      <PageLink href={sweepHref(sweep.id)} className={buttonStyle()}>
        Open sweep {sweep.number}
      </PageLink>
    );
  if (!isBusy || busy === undefined) return null;
  const cancel = () => {
    request('run.cancel', { runId: busy.id }).catch((e: unknown) => onProblem(toFailure(e)));
  };
  return (
    <>
      <PageLink href={runHref(busy.id)} className={buttonStyle()}>
        Open run {busy.number}
      </PageLink>
      <Button kind="danger" onClick={cancel}>
        Cancel run {busy.number}
      </Button>
    </>
  );
}
