import type { Imported } from '@verbslab/protocol';
import { when } from '../format/number';

/** Which run of which host this is a copy of. `unknown`: its lab, where this agent does not have it. */
export function ImportedFrom({ imported, unknown }: { imported: Imported; unknown: string | null }) {
  const { host, number, at, sweep } = imported;
  return (
    <p className="mt-1 max-w-[72ch] text-13 text-ink-2">
      <span data-shows="imported">
        Run {number} of {host}, imported on {when(at)}.
        {sweep
          ? ` There it is point ${sweep.point + 1}, round ${sweep.round + 1} of sweep ${sweep.number}.`
          : ''}
      </span>{' '}
      Its figures were measured there, and <span className="num">local</span> means that host.
      {unknown === null
        ? ''
        : ` This agent has no lab “${unknown}”, so the run is shown without its text and cannot be run here.`}
    </p>
  );
}
