'use client';
import { isFinal } from '@verbslab/protocol';
import { ChevronRight, FastForward, StepForward } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { toFailure } from '../connection/failure';
import type { RunSession } from '../connection/run-sessions';
import { request, useAgent } from '../connection/store';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { Gloss } from '../ui/gloss';
import type { Failure } from '../ui/states';
import type { StepLog } from '../model/step-log';
import { usePageHandle } from '../actions/page-store';

/**
 * At the foot of the window: what the next step will do, before it runs, with the button that runs it. Once the run has
 * ended it leads on to the step that follows.
 */
export function NextStep(props: {
  session: RunSession;
  steps: readonly StepLog[];
  /** Null for the summary, which comes before the first step. */
  chosen: StepLog | null;
  onSelect: (id: string) => void;
  /** The page goes back to following the run. */
  onFollow: () => void;
}) {
  const { session, steps, chosen, onSelect, onFollow } = props;
  const { record } = session.view!.model;
  const connected = useAgent((s) => s.status === 'open');
  const [failure, setFailure] = useState<Failure | null>(null);
  const runId = record.id;
  const waiting = record.waitingFor !== null;

  const step = useCallback(
    (go: 'next' | 'all') => {
      setFailure(null);
      onFollow();
      request('run.step', { runId, go }).catch((e: unknown) => setFailure(toFailure(e)));
    },
    [runId, onFollow],
  );
  const handle = useMemo(
    () => (waiting ? { 'next-step': () => step('next'), 'all-steps': () => step('all') } : {}),
    [waiting, step],
  );
  usePageHandle(handle);

  if (isFinal(record.state)) {
    const following = steps[(chosen?.index ?? -1) + 1];
    if (!following) return null;
    return (
      <Bar>
        <p className="min-w-0 flex-1 text-ink-2 max-sm:hidden" data-words>
          Next: <span className="num text-ink-3">{following.index + 1}</span> {following.title}
        </p>
        <Button onClick={() => onSelect(following.id)}>
          Show this step
          <ChevronRight size={14} aria-hidden />
        </Button>
      </Bar>
    );
  }
  if (record.mode !== 'step') return null;
  const next = steps.find((s) => s.state === 'waiting') ?? steps.find((s) => s.state === 'pending');
  if (!next) return null;
  const shown = next === chosen;
  return (
    <>
      {shown ? null : (
        <div className="border-t pt-3 md:hidden">
          <Preview next={next} />
        </div>
      )}
      <Bar>
        <div className="min-w-0 flex-1 max-md:hidden md:min-h-[7rem]">
          {shown ? (
            <p className="text-ink-2">Step {next.index + 1} is explained above. Run it when you are ready.</p>
          ) : (
            <Preview next={next} />
          )}
        </div>
        <Button kind="primary" disabled={!connected || !waiting} onClick={() => step('next')}>
          <StepForward size={14} aria-hidden />
          Next step
        </Button>
        <Button disabled={!connected || !waiting} onClick={() => step('all')}>
          <FastForward size={14} aria-hidden />
          Run remaining steps
        </Button>
        {failure ? <StartFailure failure={failure} className="basis-full" /> : null}
      </Bar>
    </>
  );
}

function Preview({ next }: { next: StepLog }) {
  return (
    <>
      <p className="font-semibold">
        Next: <span className="num font-normal text-ink-3">{next.index + 1}</span> {next.title}
      </p>
      <p className="prose text-13 text-ink-2" data-next-step={next.id}>
        <Gloss>{next.text}</Gloss>
      </p>
    </>
  );
}

function Bar({ children }: { children: React.ReactNode }) {
  return (
    <div className="sticky bottom-0 z-[5] -mx-4 mt-6 flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line-strong bg-page px-4 py-2.5 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] lg:-mx-6 lg:px-6">
      {children}
    </div>
  );
}
