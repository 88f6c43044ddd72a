import { isFinal } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { when } from '../format/number';
import { StateBadge } from '../ui/state-badge';
import { RunPlaces } from './run-places';

/** State, places and beginning of a run, below its title. */
export function RunLine({ view }: { view: RunView }) {
  const { record } = view.model;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-13 text-ink-2">
      <StateBadge
        state={record.state}
        problems={record.result?.problems}
        className={isFinal(record.state) ? 'max-sm:min-w-[5.5rem]' : 'min-w-[5.5rem]'}
      />
      <RunPlaces model={view.model} />
      <span className="num text-ink-3" data-shows="created">
        {when(record.createdAt)}
      </span>
    </p>
  );
}
