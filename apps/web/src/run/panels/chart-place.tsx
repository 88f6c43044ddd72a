'use client';
import type { RunRecord } from '@verbslab/protocol';
import { useEffect, useState, type ReactNode } from 'react';
import { LOOKING } from '../charts/held';
import { Waiting, type Missing } from './waiting';

/** Safari has no requestIdleCallback; a moment later does as well. */
const LATER_MS = 200;

interface ChartPlaceProps {
  record: Pick<RunRecord, 'state'>;
  /** What is said while there is nothing to draw. */
  waiting: Missing | null;
  children: ReactNode;
}

/**
 * Where a chart stands. While it waits for data the chart is already mounted, out of sight, as soon as the page has
 * nothing else to do: mounting three of them costs more than a frame each, and records then come in by the thousand between two frames.
 */
export function ChartPlace({ record, waiting, children }: ChartPlaceProps) {
  const [warm, setWarm] = useState(false);
  useEffect(() => {
    if (waiting === null || warm) return;
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(() => setWarm(true), LATER_MS);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(() => setWarm(true));
    return () => cancelIdleCallback(idle);
  }, [waiting, warm]);
  return (
    <div className="relative min-h-0 flex-1" {...LOOKING}>
      {waiting === null || warm ? (
        <div
          className={waiting === null ? 'chart h-full px-1' : 'invisible h-full px-1'}
          aria-hidden={waiting !== null}
        >
          {children}
        </div>
      ) : null}
      {waiting === null ? null : (
        <div className="absolute inset-0">
          <Waiting record={record} {...waiting} />
        </div>
      )}
    </div>
  );
}
