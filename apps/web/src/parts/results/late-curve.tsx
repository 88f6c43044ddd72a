'use client';
import { lazyPart } from '../../connection/lazy-part';
import { Skeleton } from '../../ui/states';
import type { CurveChartProps } from './curve-chart';
import type { StageBars } from './stage-bars';

const Waiting = () => <Skeleton className="h-full" />;

/** A curve, whose code comes when one is first shown. */
export const LateCurve = lazyPart<CurveChartProps>(
  async () => (await import('./curve-chart')).CurveChart,
  Waiting,
);

/** Rows of a table as bars. */
export const LateBars = lazyPart<Parameters<typeof StageBars>[0]>(
  async () => (await import('./stage-bars')).StageBars,
  Waiting,
);
