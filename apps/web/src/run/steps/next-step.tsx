'use client';
import { isFinal } from '@verbslab/protocol';
import { ChevronRight, StepForward } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { toFailure } from '../../connection/failure';
import type { RunSession } from '../../connection/run-sessions';
import { request, useAgent } from '../../connection/store';
import type { StepLog } from '../../model/step-log';
import { StartFailure } from '../../parts/run/start-failure';
import { Button } from '../../ui/button';
import { Kbd } from '../../ui/kbd';
import type { Failure } from '../../ui/states';
import { AskStep } from './step-question';

/**
 * The question before the next step, and the button that runs it. Once the run has ended, they lead on to the step after
 * the one that is shown.
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
  const over = isFinal(record.state);
  const following = over ? steps[(chosen?.index ?? -1) + 1]?.id : undefined;

  const step = useCallback(
    (go: 'next' | 'all') => {
      setFailure(null);
      onFollow();
      request('run.step', { runId, go }).catch((e: unknown) => setFailure(toFailure(e)));
    },
    [runId, onFollow],
  );
  const handle = useMemo(() => {
    if (waiting) return { 'next-step': () => step('next'), 'all-steps': () => step('all') };
    return following === undefined ? {} : { 'next-step': () => onSelect(following) };
  }, [waiting, step, following, onSelect]);
  usePageHandle(handle);

  const next = over
    ? steps.find(({ id }) => id === following)
    : record.mode === 'step'
      ? (steps.find((s) => s.state === 'waiting') ?? steps.find((s) => s.state === 'pending'))
      : undefined;
  if (!next) return null;
  return (
    <div className="border-t pt-3" data-next-step={next.id}>
      <p className="text-12 text-ink-3" data-words>
        Before step {next.index + 1}
      </p>
      <AskStep key={next.id} run={runId} step={next} />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          kind={over ? 'plain' : 'primary'}
          className="max-w-full"
          disabled={!over && (!connected || !waiting)}
          onClick={() => (over ? onSelect(next.id) : step('next'))}
        >
          {over ? <ChevronRight size={14} aria-hidden /> : <StepForward size={14} aria-hidden />}
          <span className="truncate" data-words>
            Step {next.index + 1}: {next.title}
          </span>
        </Button>
        <Kbd keys="n" />
        {over ? null : (
          <Button
            kind="quiet"
            className="ml-auto"
            disabled={!connected || !waiting}
            onClick={() => step('all')}
          >
            Run the rest
          </Button>
        )}
      </div>
      {failure ? <StartFailure failure={failure} className="mt-2" /> : null}
    </div>
  );
}
