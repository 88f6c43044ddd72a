'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useMemo } from 'react';
import { compareHref } from '../addresses';
import { useAgent } from '../connection/store';
import { PageLink } from '../ui/page-link';
import { variationRuns } from './variation-runs';

/** The way to a comparison of what the variations of a lab showed, once two of them have been run. */
export function CompareVariations({ lab }: { lab: LabDescription }) {
  const runs = useAgent((s) => s.runs);
  const found = useMemo(() => variationRuns(lab, runs ?? []), [lab, runs]);
  if (found.length < 2) return null;
  return (
    <p className="mt-1 text-13">
      <PageLink
        href={compareHref(found.map(({ id }) => id))}
        className="inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
      >
        Compare your latest runs of {found.length} variations
      </PageLink>
    </p>
  );
}
