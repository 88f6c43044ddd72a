import { noun } from '@verbslab/labs';

/** Note on items that the agent has and this version cannot read; empty if there are none. */
export function Unreadable({ what, numbers }: { what: 'Run' | 'Sweep'; numbers: readonly number[] }) {
  if (numbers.length === 0) return null;
  return (
    <p className="mt-3 text-13 text-ink-2">
      {noun(numbers.length, what)} {numbers.join(', ')} cannot be read by this version of Verbs Lab. Open the
      history with the version that wrote it.
    </p>
  );
}
