import { PageLink } from '../ui/page-link';
import { DRAWINGS } from './drawings';
import { EXPLANATIONS, OF_FABRICS } from './list';

/** All explanations, and those that need the simulator. */
export function ExplanationsPage() {
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">Explanations</h1>
      <p className="prose mt-2 mb-5 text-ink-2">
        Each page takes one of your runs of a lab and computes its figures from the records. Choose something
        and see what changes. Each page says which figures were recorded and how the others are computed.
      </p>
      <h2 className="text-16 font-semibold">Figures that you can move</h2>
      <p className="prose mb-3 text-13 text-ink-2">
        They show a recorded sample until you have a run of your own.
      </p>
      <ul className="mb-8 grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
        {EXPLANATIONS.filter(({ id }) => id in DRAWINGS).map(({ id, title, question }) => (
          <li key={id}>
            <PageLink href={`/explanations/${id}`} className="group flex gap-4">
              <span className="flex-none self-start border bg-panel">{DRAWINGS[id]}</span>
              <span className="text-14 font-medium group-hover:text-accent">
                <span className="block text-13 font-normal text-ink-3">{title}</span>
                <span className="underline decoration-line-strong underline-offset-4">{question}</span>
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
      <h2 className="mb-1 text-16 font-semibold">Figures of your runs</h2>
      <p className="prose mb-3 text-13 text-ink-2">
        If you have no run, the page has a button that runs the lab.
      </p>
      <ul className="divide-y border-y">
        {EXPLANATIONS.filter(({ id }) => !(id in DRAWINGS)).map(({ id, title, question, text }) => (
          <li key={id}>
            <PageLink
              href={`/explanations/${id}`}
              className="group grid gap-x-8 gap-y-1 py-3 md:grid-cols-[20rem_1fr]"
            >
              <span className="text-16 font-medium group-hover:text-accent">
                <span className="block text-13 font-normal text-ink-3">{title}</span>
                <span className="underline decoration-line-strong underline-offset-4">{question}</span>
              </span>
              <span className="max-w-[72ch] text-ink-2">{text}</span>
            </PageLink>
          </li>
        ))}
      </ul>
      <h2 className="mt-8 mb-2 text-16 font-semibold">Of many hosts and switches</h2>
      <dl className="divide-y border-y">
        {OF_FABRICS.map(({ title, text, lab }) => (
          <div key={title} className="grid gap-x-8 py-2 md:grid-cols-[20rem_1fr]">
            <dt className="text-ink-2">
              <PageLink href={`/labs/${lab}`} className="underline underline-offset-4 hover:text-accent">
                {title}
              </PageLink>
            </dt>
            <dd className="text-ink-2">{text} A lab simulates it.</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
