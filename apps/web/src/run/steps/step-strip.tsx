'use client';
import { Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StepLog } from '../../model/step-log';
import { cn } from '../../ui/cn';

/** Value in the address in place of a step. */
export const SUMMARY = 'summary';

const STATE_WORD: Record<StepLog['state'], string> = {
  pending: 'not yet done',
  waiting: 'next',
  active: 'in progress',
  done: 'done',
  failed: 'failed',
};

const EDGE: Record<StepLog['state'], string> = {
  pending: 'border-line',
  waiting: 'border-line',
  active: 'border-accent border-dashed',
  done: 'border-ink-3',
  failed: 'border-error',
};

/** All steps in a row, to look back at: done, current and still to come. `summary`: the run has one. */
export function StepStrip(props: {
  steps: readonly StepLog[];
  summary: boolean;
  /** Id of the step that is shown, or `SUMMARY`. */
  chosen: string;
  onSelect: (id: string) => void;
}) {
  const { steps, summary, chosen, onSelect } = props;
  return (
    <nav aria-label="Steps" className="flex gap-[3px] max-sm:gap-0.5">
      {summary ? (
        <div className="w-24 shrink-0 max-sm:w-7">
          <Item
            chosen={chosen === SUMMARY}
            edge="border-ink-3"
            title="Summary"
            onSelect={() => onSelect(SUMMARY)}
            data-summary
          >
            <Flag size={12} aria-hidden className="mr-1 inline-block shrink-0 align-[-1px]" />
            <span className="max-sm:sr-only">Summary</span>
          </Item>
        </div>
      ) : null}
      <ol className="flex min-w-0 flex-1 gap-[3px] max-sm:gap-0.5">
        {steps.map((step) => (
          <li key={step.id} className="min-w-0 flex-1">
            <Item
              chosen={chosen === step.id}
              edge={EDGE[step.state]}
              title={step.title}
              muted={step.state === 'pending' || step.state === 'waiting'}
              onSelect={() => onSelect(step.id)}
              data-step={step.id}
              data-state={step.state}
            >
              <span className="num">{step.index + 1}</span>
              <span className="max-md:sr-only"> {step.short ?? step.title}</span>
              <span className="sr-only"> {STATE_WORD[step.state]}</span>
            </Item>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Item(props: {
  chosen: boolean;
  /** Border that tells the state. */
  edge: string;
  title: string;
  muted?: boolean;
  onSelect: () => void;
  children: ReactNode;
  [data: `data-${string}`]: string | boolean;
}) {
  const { chosen, edge, title, muted = false, onSelect, children, ...data } = props;
  return (
    <button
      type="button"
      title={title}
      aria-current={chosen ? 'step' : undefined}
      onClick={onSelect}
      className={cn(
        'block min-h-8 w-full truncate border-t-3 px-0.5 pt-1 text-left text-12 hover:text-ink pointer-coarse:min-h-11',
        chosen ? 'border-accent font-semibold text-ink' : [edge, muted ? 'text-ink-3' : 'text-ink-2'],
      )}
      data-words
      {...data}
    >
      {children}
    </button>
  );
}
