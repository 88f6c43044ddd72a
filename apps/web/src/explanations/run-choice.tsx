'use client';
import type { RunRow } from '@verbslab/protocol';
import { useId, type ReactNode } from 'react';
import { runHref } from '../addresses';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { ProviderBadges } from '../ui/provider-badge';

/** In place of a run in the address: the recorded sample. */
export const SAMPLE = 'sample';

/**
 * Choice of the run that the figures are from: the newest that fits, or another one. `chosen`: null for the sample.
 * `children`: further actions.
 */
export function RunChoice(props: {
  runs: readonly RunRow[];
  chosen: RunRow | null;
  sampled: boolean;
  children: ReactNode;
}) {
  const { runs, chosen, sampled, children } = props;
  const id = useId();
  const result = chosen?.result;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-y py-2 text-13">
      <label htmlFor={id} className="text-ink-2">
        Figures of
      </label>
      <select
        id={id}
        value={chosen?.id ?? SAMPLE}
        onChange={(e) => choose(e.target.value)}
        className="num h-9 max-w-full min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        {runs.map((run, i) => (
          <option key={run.id} value={run.id}>
            {run.imported ? 'Run' : 'Your run'} {run.number}
            {i === 0 ? ', newest' : ''}, {new Date(run.createdAt).toLocaleString('en-GB')}
          </option>
        ))}
        {sampled ? <option value={SAMPLE}>Recorded sample</option> : null}
      </select>
      {result?.provider ? <ProviderBadges provider={result.provider} links={result.links} /> : null}
      {chosen ? (
        <PageLink href={runHref(chosen.id)} className={buttonStyle()}>
          Open the run
        </PageLink>
      ) : null}
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
