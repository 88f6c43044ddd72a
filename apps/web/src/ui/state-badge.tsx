import { isFinal, problemsText, type RunState } from '@verbslab/protocol';
import { cn } from './cn';

const WORD: Record<RunState, string> = {
  created: 'created',
  preparing: 'preparing',
  running: 'running',
  draining: 'finishing',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

/** State of a run as a word, with a mark that differs in shape as well as color. */
export function StateBadge({
  state,
  waiting = false,
  end = null,
  problems,
  className,
}: {
  state: RunState;
  /** True if the run waits for the user's next step. */
  waiting?: boolean;
  /** End of a program, if it is worth mentioning. */
  end?: string | null;
  /** Number of problems; shown after the end of the run. */
  problems?: number | undefined;
  className?: string | undefined;
}) {
  const bad = state === 'failed' || state === 'interrupted';
  return (
    <span
      data-state={state}
      data-shows="state"
      className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', bad && 'text-error-ink', className)}
    >
      {/* The mark stays with its word if the rest wraps. */}
      <span className="inline-flex items-center gap-1.5">
        <span
          aria-hidden
          className={cn(
            'size-2 shrink-0',
            !isFinal(state) && 'rounded-full border-2 border-accent',
            state === 'done' && 'rounded-full bg-ok-ink',
            bad && 'bg-error',
            state === 'cancelled' && 'border border-ink-3',
          )}
        />
        {waiting && !isFinal(state) ? 'paused' : WORD[state]}
      </span>
      {end ? (
        <span className="text-ink-2" data-shows="program-end">
          {end}
        </span>
      ) : null}
      {problems ? (
        <span data-problems={problems} data-shows="problems" className="text-retx-ink">
          {problemsText(problems)}
        </span>
      ) : null}
    </span>
  );
}
