'use client';
import { plural } from '@verbslab/labs';
import { LatencyTimeChart, type LatencyLine } from '@verbslab/charts';
import {
  LATENCY_LINES,
  latencyAxes,
  latencyPoints,
  steadyDomain,
  type LatencyStretch,
  type OpcodeLatencies,
} from '@verbslab/charts/data';
import { NOT_ENOUGH_SAMPLES } from '@verbslab/protocol';
import { useMemo } from 'react';
import { count, sig3, text, time } from '../../format/number';
import { Crosshair, type CrosshairRow } from '../../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../../parts/charts/frame';
import { HeatOverPlot } from '../../parts/timeline/heat-over-plot';
import { OVER_TIME } from '../../parts/charts/over-time';
import { useTransportLook } from '../../parts/charts/transport-names';
import { HeatBar } from '../../ui/heat-scale';

const UPPER = { ...MARGIN, top: 22, bottom: 8 };
const LOWER = { ...MARGIN, top: 8 };

interface LatencyOverTimeProps {
  of: OpcodeLatencies;
  /** Width of an interval of the heat map, ns. */
  width: number;
  live: boolean;
}

/** Percentiles of each stretch of time, and below them the number of requests by time and latency. */
export function LatencyOverTime({ of, width, live }: LatencyOverTimeProps) {
  const { stretches, heat, t } = of;
  const look = useTransportLook()('rdma');
  const points = useMemo(() => latencyPoints(stretches), [stretches]);
  const {
    domain: [from, to],
    range,
  } = useMemo(() => latencyAxes(of), [of]);
  const domain = useMemo(() => steadyDomain([from, to], live && to - from > 1), [from, to, live]);
  const lines = useMemo(
    () =>
      LATENCY_LINES.map(([key, dash]): LatencyLine => {
        const last = stretches.at(-1)![key];
        return { key, line: look.line, ink: look.ink, dash, last: last === null ? null : last / 1000 };
      }),
    [stretches, look.line, look.ink],
  );
  const track = useMemo(
    () => ({
      ...{ id: 'heat', group: '', title: 'Latency', kind: 'heat' as const, height: 0, t },
      ...{ width: new Float64Array(t.length).fill(width), ...heat },
    }),
    [t, heat, width],
  );
  const rows = points.filter(({ max }) => max !== null).map(tipRow);
  const tips = lines.map(({ key, line }) => ({ key, name: key, color: line, dot: true }));
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p className="num flex flex-wrap gap-x-3 pl-7 text-12 leading-4 text-ink-3">
        <span className="mr-auto">Latency over run time, log axis</span>
        {stretches.every(({ p99 }) => p99 === null) ? <span data-words>p99 needs 1,000 requests</span> : null}
      </p>
      <div className="min-h-0 flex-1">
        <ChartFrame>
          {(size) => (
            <LatencyTimeChart
              label="Percentiles of latency over run time"
              {...{ lines, domain, range, rows: points, title: '', continued: true, ...size }}
              margin={UPPER}
              over={<Crosshair {...OVER_TIME} rows={rows} lines={tips} unit="µs" />}
            />
          )}
        </ChartFrame>
      </div>
      <div className="min-h-0 flex-1" role="img" aria-label={heatWords(of, width)}>
        <ChartFrame>
          {(size) => (
            <LatencyTimeChart
              label="Requests by run time and latency"
              {...{ lines: UNSEEN, domain, range, rows: points, title: '', ...size }}
              margin={LOWER}
              over={<HeatOverPlot track={track} />}
            />
          )}
        </ChartFrame>
      </div>
      <p className="num flex items-center justify-end gap-1 pr-11 pb-1 text-12 text-ink-3">
        <span data-words>1</span> <HeatBar />{' '}
        <span data-shows="latency-cells">
          {plural(heat.most, 'request')} per cell of {text(time(width))}
        </span>
      </p>
    </div>
  );
}

/** An axis has its figures only with a line. */
const UNSEEN: readonly LatencyLine[] = [
  { key: 'max', line: 'transparent', ink: 'transparent', dash: undefined, last: null },
];

const tipRow = ({ t, p50, p99, max }: ReturnType<typeof latencyPoints>[number]): CrosshairRow => ({
  ...{ t, p50: p50 ?? undefined, p99: p99 ?? undefined, max: max ?? undefined },
});

function heatWords({ heat, t }: OpcodeLatencies, width: number): string {
  const [low, high] = [text(time(heat.least)), text(time(heat.classes.at(-1)))];
  return `Heat map of ${count(t.length)} intervals of ${text(time(width))}, with latencies from ${low} to ${high}. The table shows the percentiles.`;
}

/** Table with the content of the charts over time. */
export function stretchTable(stretches: readonly LatencyStretch[]): {
  head: string[];
  rows: (string | number)[][];
} {
  const us = (ns: number | null): string => (ns === null ? NOT_ENOUGH_SAMPLES : sig3(ns / 1000));
  return {
    head: ['From, s', 'To, s', 'n', 'p50, µs', 'p99, µs', 'max, µs'],
    rows: stretches.map(({ from, to, n, p50, p99, max }) => [
      ...[(from / 1e9).toFixed(4), (to / 1e9).toFixed(4), n, us(p50), us(p99), us(max)],
    ]),
  };
}
