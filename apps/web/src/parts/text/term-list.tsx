import { TERMS, type TermId } from '../../ui/terms';

/** Terms of the field with their meanings. */
export function TermList({ terms }: { terms: readonly TermId[] }) {
  return (
    <dl className="prose mt-1 max-w-none! gap-x-8 text-13 xl:columns-2">
      {terms.map((id) => (
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
  );
}
