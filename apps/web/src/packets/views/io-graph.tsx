'use client';
import { RatesChart, type RateLine } from '@verbslab/charts';
import { useMemo } from 'react';
import { count, sig3, text, time } from '../../format/number';
import { binWidth, firstFrom, rateUnit, type PacketBins } from '../../model/packet-bins';
import type { PacketRows } from '../../model/packet-rows';
import { Crosshair, type TipLine } from '../../parts/charts/crosshair';
import { ChartFrame } from '../../parts/charts/frame';
import { DataTable } from '../../ui/data-table';
import { CurveList } from './curve-list';
import { CURVE_LOOKS, useCurves, type CurveChoice, type IoUnit } from './curves-store';
import { TimeDrag } from './time-drag';
import { useCurve, type Curve } from './use-curve';

/** Most stretches of time that are counted: a step is then a few pixels wide. */
const BINS = 240;
const MARGIN = { top: 22, right: 16, bottom: 34, left: 48 };

const TIME_UNITS: readonly [ns: number, name: string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
];

/** Unit of the time axis of a capture. */
const timeUnit = (durationNs: number) =>
  TIME_UNITS.find(([ns]) => durationNs >= 2 * ns) ?? TIME_UNITS.at(-1)!;

type Row = { t: number } & Record<string, number>;

/** True within a stretch of zeros: a line along the axis would say nothing. */
const isQuiet = (values: Float64Array, i: number): boolean =>
  values[i] === 0 && (values[i - 1] ?? 0) === 0 && (values[i + 1] ?? 0) === 0;

/** Rows of the chart: the values of each curve per second, in the unit of the axis. */
function rowsOf(bins: readonly (PacketBins | null)[], of: IoUnit, widthNs: number, timeNs: number) {
  const most = bins.reduce((top, one) => (one ? one[of].reduce((a, b) => Math.max(a, b), top) : top), 0);
  const perSecond = 1e9 / widthNs;
  const unit = rateUnit(of, most * perSecond);
  const length = bins.find((one) => one !== null)?.packets.length ?? 0;
  const rows = Array.from({ length }, (_, i) => {
    const row: Row = { t: (i * widthNs) / timeNs };
    bins.forEach((one, curve) => {
      if (one && (curve === 0 || !isQuiet(one[of], i)))
        row[`c${curve}`] = (one[of][i]! * perSecond) / unit.per;
    });
    return row;
  });
  return { rows, unit: unit.name, top: (most * perSecond) / unit.per };
}

const nameOf = ({ filter }: CurveChoice): string => (filter === '' ? 'all packets' : filter);

export interface IoGraphProps {
  rows: PacketRows;
  /** Listed packets; null for all. */
  only: readonly number[] | null;
  durationNs: number;
  /** True while the list has arrivals too. */
  arrivals: boolean;
  selected: number | null;
  onSelect: (index: number) => void;
  /** Lists a stretch of time, ns since the first packet. */
  onRange: (fromNs: number, toNs: number) => void;
  /** True to show the figures as a table. */
  table: boolean;
}

/** Packets or bytes per second over the capture: up to four curves, each with a filter of its own. */
export function IoGraph(props: IoGraphProps) {
  const { rows, durationNs, arrivals, table } = props;
  const { curves, unit: of } = useCurves();
  const width = binWidth(durationNs, BINS);
  const binning = { durationNs, width, arrivals };
  const [a, b, c, d] = curves as readonly [CurveChoice, CurveChoice, CurveChoice, CurveChoice];
  const drawn = [
    useCurve(rows, a.filter, a.on, binning),
    useCurve(rows, b.filter, b.on, binning),
    useCurve(rows, c.filter, c.on, binning),
    useCurve(rows, d.filter, d.on, binning),
  ];
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(10rem,17rem)] gap-x-2 pr-3 max-sm:grid-cols-1">
      <div className="chart thin-scroll flex min-h-0 min-w-0 flex-col overflow-auto max-sm:h-40">
        <Drawing {...props} {...{ curves, drawn, of, width, table }} />
      </div>
      <div className="thin-scroll min-h-0 overflow-y-auto max-sm:px-3">
        <CurveList drawn={drawn} />
      </div>
    </div>
  );
}

function Drawing(
  props: IoGraphProps & {
    curves: readonly CurveChoice[];
    drawn: readonly Curve[];
    of: IoUnit;
    width: number;
  },
) {
  const { rows, only, durationNs, selected, onSelect, onRange, curves, drawn, of, width, table } = props;
  const [timeNs, timeName] = timeUnit(durationNs);
  const shown = useMemo(
    () =>
      rowsOf(
        drawn.map(({ bins }) => bins),
        of,
        width,
        timeNs,
      ),
    // The bins are the parts that change.
    // oxlint-disable-next-line react/exhaustive-deps
    [...drawn.map(({ bins }) => bins), of, width, timeNs],
  );
  const lines = curves.flatMap((curve, i): (RateLine & TipLine)[] =>
    curve.on && drawn[i]!.bins
      ? [{ key: `c${i}`, name: nameOf(curve), color: CURVE_LOOKS[i]!.line, ...CURVE_LOOKS[i]! }]
      : [],
  );
  const per = `per ${text(time(width))}`;
  if (table)
    return (
      <DataTable
        shows="io-graph"
        caption={`${of === 'packets' ? 'Packets' : 'Bytes'} ${per}`}
        head={[`time, ${timeName}`, ...lines.map(({ key, name }) => `${Number(key.slice(1)) + 1}: ${name}`)]}
        rows={shown.rows.map((row) => [
          sig3(row.t),
          ...lines.map(({ key }) => {
            const bins = drawn[Number(key.slice(1))]!.bins!;
            return count(bins[of][Math.round((row.t * timeNs) / width)]);
          }),
        ])}
      />
    );
  const zero = rows.zero ?? rows.time(0) ?? 0;
  const at = selected === null ? undefined : rows.time(selected);
  return (
    <ChartFrame>
      {(size) => (
        <RatesChart
          label="Packets over time"
          time={`time since the first packet, ${timeName}; counted ${per}`}
          unit={shown.unit}
          lines={lines}
          rows={shown.rows}
          domain={[0, Math.max(width, durationNs) / timeNs]}
          top={shown.top}
          {...size}
          margin={MARGIN}
          over={
            <TimeDrag
              mark={at === undefined ? null : (at - zero) / timeNs}
              onRange={(from, to) => onRange(from * timeNs, to * timeNs)}
            >
              <Crosshair
                group="packets-io"
                rows={shown.rows}
                by="t"
                lines={lines}
                unit={shown.unit}
                title={(row) => `from ${text(time(row['t']! * timeNs))}`}
                opens="chooses the first listed packet from there on"
                onOpen={(row) => {
                  const found = firstFrom(rows, only, zero, row['t']! * timeNs);
                  if (found !== null) onSelect(found);
                }}
              />
            </TimeDrag>
          }
        />
      )}
    </ChartFrame>
  );
}
