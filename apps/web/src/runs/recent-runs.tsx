'use client';
import { useRef } from 'react';
import { lazyPart } from '../connection/lazy-part';
import { useCameNear } from '../connection/panel-visible';
import { RecentWaiting } from './recent-waiting';

const RecentTable = lazyPart(async () => (await import('./recent-table')).RecentTable, RecentWaiting);

/** The latest runs. Their table is below the fold of home: its code is loaded when a reader comes near. */
export function RecentRuns() {
  const place = useRef<HTMLDivElement>(null);
  const near = useCameNear(place);
  return <div ref={place}>{near ? <RecentTable /> : <RecentWaiting />}</div>;
}
