import { LOCAL_HOST, type Imported, type RunRecord } from '@verbslab/protocol';
import { when } from '../format/number';

/** Origin of an imported run. `unknown`: its lab, if this agent does not have it. */
export function ImportedFrom(props: { imported: Imported; record: RunRecord; unknown: string | null }) {
  const { imported, record, unknown } = props;
  const { host, number, at, sweep } = imported;
  const across = record.result?.endpoints?.some((place) => place.host !== LOCAL_HOST) ?? false;
  return (
    <p className="mt-1 max-w-[72ch] text-13 text-ink-2">
      <span data-shows="imported">
        Imported on {when(at)} from {host}, where it is run {number}
        {sweep ? ` (point ${sweep.point + 1}, round ${sweep.round + 1} of sweep ${sweep.number})` : ''}.
      </span>{' '}
      Its figures were measured there.
      {across ? (
        <>
          {' '}
          In this run, <span className="num">{LOCAL_HOST}</span> means {host}.
        </>
      ) : null}
      {unknown === null
        ? ''
        : ` This agent has no lab “${unknown}”, so the page has no text about it, and the run cannot be repeated on this host.`}
    </p>
  );
}
