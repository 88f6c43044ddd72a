import type { ReactNode } from 'react';
import { when } from '../format/number';
import { ProviderBadges } from '../ui/provider-badge';
import type { ExplainedRun } from './types';

/** Line above a recorded sample. It says that the figures are not the reader's own, and how to get those. */
export function SampleLine({ run, children }: { run: ExplainedRun | null; children: ReactNode }) {
  const result = run?.record.result;
  return (
    <div
      className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 border-y py-2 text-13"
      data-sample-line
    >
      <p>
        <strong className="font-semibold">Recorded sample</strong>
        <span className="text-ink-2" data-words>
          {run ? `, made on ${when(run.record.createdAt)}` : ''}. Your own run replaces it.
        </span>
      </p>
      {result?.provider ? <ProviderBadges provider={result.provider} links={result.links} /> : null}
      {children}
    </div>
  );
}
