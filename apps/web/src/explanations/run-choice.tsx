'use client';
import type { RunRow } from '@verbslab/protocol';
import { useId, type ReactNode } from 'react';
import { runHref } from '../addresses';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { ProviderBadges } from '../ui/provider-badge';

/** Choice of the run that the figures are from: the newest that fits, or another one. `children`: further actions. */
export function RunChoice(props: { runs: readonly RunRow[]; chosen: RunRow; children: ReactNode }) {
  const { runs, chosen, children } = props;
  const id = useId();
  const { result } = chosen;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-y py-2 text-13">
      <label htmlFor={id} className="text-ink-2">
        Figures of
      </label>
      <select
        id={id}
        value={chosen.id}
        onChange={(e) => choose(e.target.value)}
        className="num h-9 max-w-full min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        {runs.map((run, i) => (
          <option key={run.id} value={run.id}>
            Run {run.number}
            {i === 0 ? ', newest' : ''}, {new Date(run.createdAt).toLocaleString('en-GB')}
          </option>
        ))}
      </select>
      {result?.provider ? <ProviderBadges provider={result.provider} links={result.links} /> : null}
      <PageLink href={runHref(chosen.id)} className={buttonStyle()}>
        Open the run
      </PageLink>
      {children}
    </div>
  );
}

/** Changes the run in the address. The controls keep their values. */
function choose(run: string): void {
  const query = new URLSearchParams(location.search);
  query.set('run', run);
  history.replaceState(null, '', `${location.pathname}?${query}`);
}
