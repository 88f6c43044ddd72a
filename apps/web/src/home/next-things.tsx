'use client';
import { useMemo } from 'react';
import { useAgent } from '../connection/store';
import type { CheckCounts } from '../model/progress';
import { PageLink } from '../ui/page-link';
import { Skeleton } from '../ui/states';
import { suggestionsOf } from './suggestions';

/** Suggestions for the next activity; empty if there are none. */
export function NextThings({ checks }: { checks: CheckCounts }) {
  const labs = useAgent((s) => s.labs);
  const progress = useAgent((s) => s.progress);
  const runs = useAgent((s) => s.runs);
  const found = useMemo(
    () => progress && runs && suggestionsOf({ labs, checks, progress, runs }),
    [labs, checks, progress, runs],
  );
  if (found?.length === 0) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="mb-2 text-14 font-semibold">
        What to do next
      </h2>
      {found ? (
        <ul className="grid gap-x-7 gap-y-3 md:grid-cols-3">
          {found.map(({ id, text, action, href }) => (
            <li key={id} data-suggestion={id}>
              <p className="text-ink-2">{text}</p>
              <PageLink
                href={href}
                className="inline-flex min-h-8 items-center text-accent hover:underline pointer-coarse:min-h-11"
              >
                {action}
              </PageLink>
            </li>
          ))}
        </ul>
      ) : (
        <div aria-busy className="grid h-13 content-start gap-3">
          <Skeleton className="h-3 w-48" />
          <Skeleton className="h-3 w-56" />
        </div>
      )}
    </section>
  );
}
