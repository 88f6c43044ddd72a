import type { LabDescription } from '@verbslab/protocol';
import { PageLink } from '../ui/page-link';
import { DoneMark } from './done-mark';

/** The labs to begin with, in this order. */
export const STARTERS = ['minimal-flow', 'write-read', 'cq-overrun', 'bulk', 'loss-cost', 'clinic'] as const;

/** Six labs that are worth a reader’s first hour, with the reason. */
export function Starters({ labs }: { labs: readonly LabDescription[] }) {
  const chosen = STARTERS.flatMap((own) => labs.find(({ id }) => id === own) ?? []);
  const minutes = chosen.reduce((sum, lab) => sum + (lab.minutes ?? 0), 0);
  return (
    <section aria-labelledby="starters">
      <h2 id="starters" className="mb-2 text-14 font-semibold">
        Six to start with{' '}
        <span className="text-13 font-normal text-ink-3">
          about <span className="num">{minutes}</span> minutes in all
        </span>
      </h2>
      <ol className="grid gap-y-4 sm:grid-cols-3 lg:grid-cols-6">
        {chosen.map(({ id, title, question, why = question }) => (
          <li
            key={id}
            className="border-line sm:border-l sm:px-3 sm:first:border-l-0 sm:first:pl-0 sm:max-lg:nth-4:border-l-0 sm:max-lg:nth-4:pl-0"
          >
            <PageLink
              href={`/labs/${id}`}
              className="group block min-h-11 text-13 leading-[1.125rem] text-ink-2"
            >
              <span className="block text-14 leading-[1.125rem] font-medium text-ink group-hover:underline">
                {title}
                <DoneMark lab={id} />
              </span>
              {why}
            </PageLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
