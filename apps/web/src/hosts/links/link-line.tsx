import { runHref } from '../../addresses';
import { PageLink } from '../../ui/page-link';
import { cn } from '../../ui/cn';
import { isLoopback, mediumText, quietText } from './link-text';
import { RateText } from './rate-text';
import type { HostLink } from './topology';

/** A link in the picture: its line, what carries its packets, and how much it carries. */
export function LinkLine({ link }: { link: HostLink }) {
  const { from, to, media, runs, rates } = link;
  const quiet = quietText(link);
  const loop = isLoopback(link);
  return (
    <div
      data-path={`${from.name} ${to.name}`}
      data-media={media.join(' ')}
      data-run={runs.at(-1)?.runId}
      className={cn('grid min-w-0 content-center gap-1 py-2 text-13 max-sm:pl-7', 'relative sm:text-center')}
    >
      <p className="flex flex-wrap items-center gap-x-2 sm:justify-center">
        {loop ? <span className="text-ink-2">loopback</span> : null}
        <span className="rounded-[3px] border border-line-strong px-1.5 text-12 whitespace-nowrap text-ink-2">
          {mediumText(link)}
        </span>
      </p>
      <Line loop={loop} active={runs.length > 0} up={to.state === 'up'} />
      {quiet === null && rates ? (
        <p className="flex flex-wrap gap-x-3 sm:justify-center">
          <span>
            out <RateText rate={rates.out} shows="link-out" />
          </span>
          <span>
            in <RateText rate={rates.in} shows="link-in" />
          </span>
        </p>
      ) : (
        <p className="text-ink-3">{quiet}</p>
      )}
      {runs.length === 0 ? null : (
        <p className="flex flex-wrap gap-x-3 sm:justify-center">
          {runs.map(({ run, runId }) => (
            <PageLink
              key={runId}
              href={runHref(runId)}
              className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-11"
            >
              Run {run}
            </PageLink>
          ))}
        </p>
      )}
    </div>
  );
}

/** Across on wide screens, down on narrow ones; a loop ends where it began. */
function Line({ loop, active, up }: { loop: boolean; active: boolean; up: boolean }) {
  const look = cn(
    active ? 'border-accent' : 'border-line-strong',
    up && active ? 'border-solid' : 'border-dashed',
  );
  return loop ? (
    <span
      aria-hidden
      className={cn(
        'absolute border-2 max-sm:top-0 max-sm:left-2 max-sm:h-4/5 max-sm:w-3 max-sm:rounded-b-[6px] max-sm:border-t-0',
        'sm:static sm:h-3 sm:w-full sm:rounded-r-[6px] sm:border-l-0',
        look,
      )}
    />
  ) : (
    <span
      aria-hidden
      className={cn(
        'max-sm:absolute max-sm:inset-y-0 max-sm:left-3 max-sm:border-l-2 sm:block sm:w-full sm:border-t-2',
        look,
      )}
    />
  );
}
