'use client';
import { RatesChart } from '@verbslab/charts';
import { steadyDomain } from '@verbslab/charts/data';
import type { QueueTrack } from '@verbslab/report/queues';
import { useMemo } from 'react';
import { Crosshair } from '../../parts/charts/crosshair';
import { ChartFrame } from '../../parts/charts/frame';
import { OVER_TIME } from '../../parts/charts/over-time';
import { occupancyRows } from '../../model/occupancy-rows';

const MARGIN = { top: 24, right: 16, bottom: 34, left: 48 };

/** Occupancy of a queue over time. A stretch without samples is a gap. */
export function QueueChart({
  name,
  track,
  end,
  live,
}: {
  name: string;
  track: QueueTrack;
  end: number;
  live: boolean;
}) {
  const changes = track.fills.length;
  // The track grows in place.
  // oxlint-disable-next-line react/exhaustive-deps
  const rows = useMemo(() => occupancyRows(track, end), [track, changes, end]);
  const top = rows.reduce((most, { used }) => Math.max(most, used ?? 0), 1);
  const [from, to] = steadyDomain([0, end / 1e9], live);
  const domain = useMemo(() => [from, to] as const, [from, to]);
  const line = { key: 'used', line: 'var(--rdma)', dash: undefined };
  return (
    <ChartFrame>
      {(size) => (
        <RatesChart
          {...size}
          {...{ rows, top, domain }}
          label={`${name} over time`}
          time="s"
          unit="entries"
          lines={[line]}
          margin={MARGIN}
          over={
            <Crosshair
              {...OVER_TIME}
              rows={rows}
              by="t"
              lines={[{ key: 'used', name, color: line.line }]}
              unit="entries"
            />
          }
        />
      )}
    </ChartFrame>
  );
}
