'use client';
import type { LabDescription } from '@verbslab/protocol';
import { compareHref } from '../../addresses';
import { useAgent } from '../../connection/store';
import { useRecord } from '../../connection/use-record';
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
    <section aria-labelledby="against-first">
      <h2 id="against-first" className="text-16 font-semibold">
        {table.label}
      </h2>
      <p className="mt-1 mb-2 text-13 text-ink-2">{table.text}</p>
      <ResultTable table={table} shows="result-table" />
      {first ? (
        <PageLink
          href={compareHref([first.id, run.record.id])}
          className="mt-1 inline-flex min-h-8 items-center text-13 text-accent underline pointer-coarse:min-h-11"
        >
          Compare both runs in full
        </PageLink>
      ) : null}
    </section>
  );
}
