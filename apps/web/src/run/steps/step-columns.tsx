'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useCallback, useState, type ReactNode } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import type { RunView } from '../../connection/run-view';
import { stepAnswer } from '../../model/step-answer';
import type { StepLog } from '../../model/step-log';
import { StepCode } from './step-code';
import type { StepPictureProps, Stretch } from './step-picture';
import { Verdict } from './step-question';
import { StepText } from './step-text';

/** Height of the picture until it is there, so that nothing moves when it comes. */
const StepPicture = lazyPart<StepPictureProps>(
  async () => (await import('./step-picture')).default,
  () => <div className="min-h-[31rem]" aria-busy />,
);

export interface StepColumnsProps {
  view: RunView;
  lab: LabDescription;
  steps: readonly StepLog[];
  /** Null for the summary. */
  step: StepLog | null;
  /** What leads on, at the end of the right column. */
  next: ReactNode;
  /** The summary, in place of a step's text. */
  children: ReactNode;
}

/**
 * The picture of a step with its source at the left, its text and prediction at the right. In one column, the text comes
 * before the picture.
 */
export function StepColumns({ view, lab, steps, step, next, children }: StepColumnsProps) {
  const [shown, setShown] = useState<Stretch | null>(null);
  const show = useCallback(
    (stretch: Stretch) =>
      setShown((old) => (old?.from === stretch.from && old.to === stretch.to ? old : stretch)),
    [],
  );
  const { question } = step ?? {};
  const answer = step && question ? stepAnswer(view.model, steps, step, question) : null;
  return (
    <div
      className="mt-4 grid grid-cols-[minmax(0,1fr)] items-start gap-x-7 gap-y-4 min-[64rem]:grid-cols-[minmax(0,1fr)_20rem] min-[64rem]:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_26rem]"
      data-step-columns
    >
      <article
        aria-labelledby={step ? 'step-title' : 'ending'}
        className="min-w-0 min-[64rem]:col-start-2 min-[64rem]:row-start-1"
      >
        {step ? <StepText view={view} lab={lab} step={step} of={steps.length} /> : children}
      </article>
      <div className="min-w-0 min-[64rem]:col-start-1 min-[64rem]:row-span-2 min-[64rem]:row-start-1">
        <StepPicture view={view} lab={lab} steps={steps} step={step} onShown={show} />
        {step && !Number.isNaN(step.begin) ? <StepCode view={view} step={step} shown={shown} /> : null}
      </div>
      <div className="min-w-0 space-y-3 min-[64rem]:col-start-2 min-[64rem]:row-start-2">
        {step && question && answer ? (
          <Verdict run={view.model.record.id} step={step} question={question} answer={answer} />
        ) : null}
        {next}
      </div>
    </div>
  );
}
