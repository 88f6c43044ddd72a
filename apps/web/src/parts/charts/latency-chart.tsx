'use client';
import { useTransportColour } from './transport-names';
import { NOT_ENOUGH_SAMPLES } from '@verbslab/protocol';
import { axisTicks, COUNTED, type LatencyCurve, type LatencyView, logTicks } from '@verbslab/charts/data';
import { sig3, text, time } from '../../format/number';
import { useTransportName, type NameOf } from './transport-names';
import { MARGIN, XAxis, YAxis } from './axes';
import type { CrosshairRow } from './crosshair';
import { LatencyCurves } from './curves';
import { LatencyKey } from './latency-key';
import { Plot } from './plot';

// Titles and percentiles stand above each plot, outside of it.
const LAST = { ...MARGIN, top: 8, right: 28 };
const UPPER = { ...LAST, bottom: 22 };

const axisTime = (ns: number): string => {
  const q = time(ns);
  return `${Number(q.value.replaceAll(',', ''))} ${q.unit}`;
};
const bin = ({ from, to }: CrosshairRow): string => `${text(time(from))} to ${text(time(to))}`;

/** One histogram a transport, one below the other on the same logarithmic axis, p50, p99 and p99.9 marked. */
export function LatencyChart({ latency: { edges, curves } }: { latency: LatencyView }) {
  const nameOf = useTransportName();
  const colourOf = useTransportColour();
  const domain = [edges[0]!, edges.at(-1)!] as const;
  // One scale for all: their heights are compared.
  const ticks = axisTicks(
    curves.flatMap(({ share }) => share.map((each) => each * 100)),
    2,
  );
  return (
    <div className="@container flex h-full flex-col">
      {curves.map((curve, i) => {
        const { line, ink } = colourOf(curve.transport);
        const name = nameOf(curve.transport);
        const last = i === curves.length - 1;
        const rows = curve.share.map((share, k) => {
          const [from, to] = [edges[k]!, edges[k + 1]!];
          return { middle: Math.sqrt(from * to), from, to, share: share * 100 };
        });
        return (
          <div key={curve.transport} className="flex min-h-0 flex-1 flex-col">
            <LatencyKey curve={curve} name={name} ink={ink} />
            <div className="min-h-0 flex-1">
              <Plot
                label={`Latency of ${name}`}
                margin={last ? LAST : UPPER}
                xDomain={domain}
                xScale="log"
                yDomain={[0, ticks.at(-1)!]}
                crosshair={{
                  group: 'latency',
                  by: 'middle',
                  title: bin,
                  rows,
                  lines: [{ key: 'share', name, colour: line }],
                  unit: '%',
                }}
              >
                <YAxis ticks={ticks} />
                <XAxis
                  ticks={logTicks(domain)}
                  format={axisTime}
                  {...(last ? { title: 'latency, log axis' } : {})}
                />
                <LatencyCurves edges={edges} curve={curve} />
              </Plot>
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** The same as a table. */
export function latencyTable(
  latency: LatencyView,
  nameOf: NameOf,
): { head: string[]; rows: (string | number)[][] } {
  const columns: [string, (c: LatencyCurve) => number | null][] = [
    ['min', (c) => c.min],
    ['p50', (c) => c.p50],
    ['p99', (c) => c.p99],
    ['p99.9', (c) => c.p999],
    ['max', (c) => c.max],
  ];
  const us = (ns: number | null): string => (ns === null ? NOT_ENOUGH_SAMPLES : sig3(ns / 1000));
  return {
    head: ['Transport', 'Counted', 'n', ...columns.map(([n]) => `${n}, µs`)],
    rows: latency.curves.map((c) => [
      nameOf(c.transport),
      COUNTED[c.transport],
      c.total,
      ...columns.map(([, f]) => us(f(c))),
    ]),
  };
}
