'use client';
import type { Measurement } from '@verbslab/protocol';
import { runHref } from '../addresses';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { Words } from '../ui/words';

interface RoundsProps {
  list: readonly Measurement[];
  repeat: number;
  /** True if the sweep has ended, so that no more runs will follow. */
  over: boolean;
  /** True for a single line, in a container that scrolls sideways. */
  inLine?: boolean;
  /** Text beside a finished run. */
  figureOf?: (run: Measurement) => string;
}

/** Links to the runs of a point, with the errors of failed runs. */
export function Rounds({ list, repeat, over, inLine = false, figureOf }: RoundsProps) {
  if (list.length === 0)
    return <span className="text-ink-3">{over ? 'not measured' : 'not yet measured'}</span>;
  return (
    <ul className={cn('flex gap-x-4', !inLine && 'flex-wrap')}>
      {list.map((run) => {
        const { position, round, runId, state, error } = run;
        const name = repeat === 1 ? 'Run' : `Round ${round + 1}`;
        return (
          <li
            key={position}
            data-measured={state}
            className={cn('flex min-h-8 items-center gap-x-2', inLine ? 'whitespace-nowrap' : 'flex-wrap')}
          >
            {runId === null ? (
              name
            ) : (
              <PageLink
                href={runHref(runId)}
                className="inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
              >
                {name}
              </PageLink>
            )}
            {state === 'done' ? (
              figureOf ? (
                <span className="num text-ink-2">{figureOf(run)}</span>
              ) : null
            ) : (
              <span className="text-error-ink">
                {state}
                {error ? (
                  <>
                    : <Words>{error.message}</Words>
                  </>
                ) : null}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
