'use client';
import type { RunRecord } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { Waiting, type Missing } from './waiting';

interface ChartPlaceProps {
  record: Pick<RunRecord, 'state'>;
  /** Texts while there is nothing to draw. */
  waiting: Missing | null;
  /** True if a sample of the chart is hatched. */
  hatched?: boolean;
  children: ReactNode;
}

/** A chart, or the text in its place. */
export function ChartPlace({ record, waiting, hatched = false, children }: ChartPlaceProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {waiting === null ? (
        <>
          <div className="chart min-h-0 flex-1 px-1">{children}</div>
          {hatched ? (
            <p className="px-3 text-12 text-ink-3" data-words>
              Hatched: a sample that took much longer than the others. The line is its mean.
            </p>
          ) : null}
        </>
      ) : (
        <Waiting record={record} {...waiting} />
      )}
    </div>
  );
}
