'use client';
import type { RunRecord } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { Waiting, type Missing } from './waiting';

interface ChartPlaceProps {
  record: Pick<RunRecord, 'state'>;
  /** What is said while there is nothing to draw. */
  waiting: Missing | null;
  children: ReactNode;
}

/** Where a chart stands, or the words in its place. */
export function ChartPlace({ record, waiting, children }: ChartPlaceProps) {
  return (
    <div className="min-h-0 flex-1">
      {waiting === null ? (
        <div className="chart h-full px-1">{children}</div>
      ) : (
        <Waiting record={record} {...waiting} />
      )}
    </div>
  );
}
