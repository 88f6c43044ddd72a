import type { LabDescription } from '@verbslab/protocol';
import { spansOf, TERMS, type TermId } from '../ui/terms';

/** Terms of the field in the lab's steps, in the order of appearance. */
function termsOf(lab: LabDescription): TermId[] {
  const seen = new Set<TermId>();
  for (const { text } of lab.steps ?? []) spansOf(text, seen);
  return [...seen];
}

/** Meanings of the lab's terms, for readers who have not gone through it step by step. */
export function LabTerms({ lab }: { lab: LabDescription }) {
  return (
    <section aria-labelledby="lab-terms" className="mt-4">
      <h3 id="lab-terms" className="text-14 font-semibold">
        Terms
      </h3>
      <dl className="prose mt-1 max-w-none! gap-x-8 text-13 xl:columns-2">
        {termsOf(lab).map((id) => (
          <div
            key={id}
            data-term={id}
            className="grid break-inside-avoid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 border-b py-1"
          >
            <dt className="font-medium wrap-anywhere">{TERMS[id].term}</dt>
            <dd className="text-ink-2">{TERMS[id].meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
