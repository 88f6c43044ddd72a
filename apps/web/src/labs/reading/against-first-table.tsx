'use client';
import type { LabDescription } from '@verbslab/protocol';
import { compareHref } from '../../addresses';
import { useAgent } from '../../connection/store';
import { useRecord } from '../../connection/use-record';
import { Fold } from '../../ui/fold';
import { PageLink } from '../../ui/page-link';
import { ResultTable } from '../../parts/results/result-table';
import { againstFirst, firstOf } from './against-first';
import type { ReadRun } from '../../parts/text/live';

/** The figures of a run beside those of the lab's first one. Nothing where there is nothing to compare. */
export function AgainstFirst({ lab, run }: { lab: LabDescription; run: ReadRun }) {
  const row = useAgent((s) => firstOf(s.runs, lab.id));
  const first = useRecord(row?.id === run.record.id ? null : row).record;
  const table = againstFirst(lab, first, run);
  if (table === null) return null;
  return (
    <Fold id="against-first" title={table.label} summary="what you changed, and what that did to the figures">
      <p className="mb-2 text-13 text-ink-2" data-words>
        {table.text}
      </p>
      <ResultTable table={table} shows="against-first" />
      {first ? (
        <PageLink
          href={compareHref([first.id, run.record.id])}
          className="mt-1 inline-flex min-h-8 items-center text-13 text-accent underline pointer-coarse:min-h-11"
        >
          Compare both runs in full
        </PageLink>
      ) : null}
    </Fold>
  );
}
