import { PageLink } from '../ui/page-link';
import { explanationsOf } from './list';

/** The ways from a lab to the explanations that compute with its runs, or that continue its subject. */
export function LabExplanations({ lab }: { lab: string }) {
  const list = explanationsOf(lab);
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="explanations" className="mt-10">
      <h2 id="explanations" className="text-16 font-semibold">
        Explore with your figures
      </h2>
      <ul className="mt-2 space-y-1">
        {list.map(({ id, title, text }) => (
          <li key={id} className="max-w-[72ch]">
            <PageLink href={`/explanations/${id}`} className="text-accent underline underline-offset-4">
              {title}
            </PageLink>
            <span className="text-ink-2">: {text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
