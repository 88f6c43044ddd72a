import { RUN_DASHES } from './model/lines';

/** The letter of a run, and how its lines are dashed. */
export function RunMark({ letter, index, line = false }: { letter: string; index: number; line?: boolean }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 font-semibold" data-words>
      <span className="num inline-flex size-5 items-center justify-center rounded-[3px] border border-line-strong text-12">
        {letter}
      </span>
      {line ? (
        <svg width="28" height="4" aria-hidden>
          <path d="M0 2H28" stroke="var(--ink-2)" strokeWidth={2} strokeDasharray={RUN_DASHES[index]} />
        </svg>
      ) : null}
    </span>
  );
}
