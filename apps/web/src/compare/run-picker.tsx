'use client';
import { MOST_COMPARED } from '@verbslab/labs';
import type { RunRow } from '@verbslab/protocol';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { NotLoaded } from '../connection/not-loaded';
import { loadOlderRuns, useAgent } from '../connection/store';
import { when } from '../format/number';
import { parameterText } from '../parts/run/parameters';
import { runFilter } from '../parts/run/search';
import { Button } from '../ui/button';
import { StateBadge } from '../ui/state-badge';

/** Rows that are shown at once. */
const MOST = 12;

/** Runs that can be added to the comparison; those of the same lab come first. */
export function RunPicker(props: {
  ids: readonly string[];
  /** Shown at once, without a button. */
  open?: boolean;
  onChange: (ids: string[]) => void;
}) {
  const { ids, open: always = false, onChange } = props;
  const runs = useAgent((s) => s.runs);
  const more = useAgent((s) => s.moreRuns);
  const labs = useAgent((s) => s.labs);
  const [opened, setOpened] = useState(false);
  const [q, setQ] = useState('');
  const parameters = useMemo(() => parameterText(labs), [labs]);
  const fits = useMemo(() => runFilter(parameters), [parameters]);
  if (ids.length >= MOST_COMPARED)
    return (
      <p className="text-13 text-ink-3" data-words>
        Six runs are the most that can be compared. Remove one to add another.
      </p>
    );
  if (!always && !opened)
    return (
      <Button onClick={() => setOpened(true)}>
        <Plus size={14} aria-hidden />
        Add a run
      </Button>
    );
  const labsHere = new Set((runs ?? []).filter(({ id }) => ids.includes(id)).map(({ lab }) => lab));
  const others = (runs ?? []).filter(
    (run) =>
      !ids.includes(run.id) &&
      fits(run, { q, lab: '', state: '', tag: '', sort: { id: 'number', desc: true } }),
  );
  const own = ({ lab }: RunRow): number => Number(labsHere.has(lab));
  const listed = others.toSorted((a, b) => own(b) - own(a) || b.number - a.number);
  return (
    <section aria-label="Add a run" className="mt-3 max-w-[60rem]" data-run-picker>
      <div className="flex flex-wrap items-center gap-3">
        <label className="flex items-center gap-2 text-13 text-ink-2">
          Find a run
          <input
            type="search"
            value={q}
            onChange={(e) => setQ(e.target.value)}
            placeholder="Lab, parameter, number"
            className="h-8 w-64 max-w-full rounded-[4px] border border-line-strong bg-panel px-2 text-14 text-ink pointer-coarse:h-11"
          />
        </label>
        {always ? null : (
          <Button kind="quiet" onClick={() => setOpened(false)}>
            Close
          </Button>
        )}
      </div>
      <NotLoaded what="runs" className="mt-2" />
      <ul className="mt-2 divide-y border-y">
        {listed.slice(0, MOST).map((run) => (
          <li key={run.id}>
            <button
              type="button"
              onClick={() => onChange([...ids, run.id])}
              className="flex min-h-9 w-full flex-wrap items-center gap-x-3 px-1 py-1 text-left hover:bg-hover pointer-coarse:min-h-11"
            >
              <span className="num w-8 shrink-0 text-right text-ink-3">{run.number}</span>
              <span className="font-medium wrap-anywhere">{run.title}</span>
              <span className="min-w-0 flex-1 basis-48 text-13 text-ink-2">{parameters(run)}</span>
              <span className="text-13">
                <StateBadge state={run.state} />
              </span>
              <span className="num text-13 text-ink-3">{when(run.createdAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      {listed.length === 0 ? <p className="py-2 text-ink-2">No other run matches.</p> : null}
      {listed.length > MOST ? (
        <p className="mt-1 text-13 text-ink-3" data-words>
          {listed.length - MOST} more match. Type to find them.
        </p>
      ) : null}
      {more && runs ? (
        <Button kind="quiet" className="mt-1" onClick={() => void loadOlderRuns()}>
          Search older runs too
        </Button>
      ) : null}
    </section>
  );
}
