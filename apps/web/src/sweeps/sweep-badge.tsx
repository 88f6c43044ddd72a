import { isFinalSweep, type SweepState } from '@verbslab/protocol';
import { cn } from '../ui/cn';

/** State of a sweep: a word, and a mark that differs in shape as well as color. */
export function SweepBadge({ state }: { state: SweepState }) {
  const bad = state === 'failed' || state === 'interrupted';
  return (
    <span
      data-state={state}
      className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', bad && 'text-error-ink')}
    >
      <span
        aria-hidden
        className={cn(
          'size-2 shrink-0',
          !isFinalSweep(state) && 'rounded-full border-2 border-accent',
          state === 'done' && 'rounded-full bg-ok-ink',
          bad && 'bg-error',
          state === 'cancelled' && 'border border-ink-3',
        )}
      />
      {state}
    </span>
  );
}
