import type { LabDescription } from '@verbslab/protocol';
import { PageLink } from '../ui/page-link';

/** Questions that can be answered by experiment. */
export function LabList({ labs }: { labs: readonly LabDescription[] }) {
  return (
    <ul className="divide-y border-y">
      {labs.map((lab) => (
        <li key={lab.id}>
          <PageLink
            href={`/labs/${lab.id}`}
            className="group grid gap-x-8 gap-y-1 py-3 md:grid-cols-[20rem_1fr]"
          >
            <span className="text-16 font-medium group-hover:text-accent">
              <span className="block text-13 font-normal text-ink-3">{lab.title}</span>
              {lab.question}
            </span>
            <span className="max-w-[72ch] text-ink-2">{lab.summary}</span>
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
