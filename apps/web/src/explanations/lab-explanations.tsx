import { Fold } from '../ui/fold';
import { PageLink } from '../ui/page-link';
import { explanationsOf } from './list';

/** The ways from a lab to the explanations that compute with its runs, or that continue its subject. */
export function LabExplanations({ lab }: { lab: string }) {
  const list = explanationsOf(lab);
  if (list.length === 0) return null;
  return (
    <Fold
      id="explanations"
      title="Explore with your figures"
      summary={list.map(({ title }) => title).join(', ')}
    >
      <ul className="space-y-1">
        {list.map(({ id, title, text }) => (
          <li key={id} className="max-w-[72ch]">
            <PageLink href={`/explanations/${id}`} className="text-accent underline underline-offset-4">
              {title}
            </PageLink>
            <span className="text-ink-2">: {text}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
