'use client';
import { OverlayChart, type OverlayLine } from '@verbslab/charts';
import { useMemo } from 'react';
import type { RunView } from '../connection/run-view';
import { sig3 } from '../format/number';
import { CPU_COLOR } from '../parts/charts/colors';
import { Crosshair, type CrosshairRow } from '../parts/charts/crosshair';
import { ChartFrame, MARGIN } from '../parts/charts/frame';
import type { Topic } from '../model/run-model';
import { useTopicsOf } from '../connection/use-session';
import { ChartBlock, type TableBehind } from './chart-block';
import { alignedSeries, holeValue, topOf, warm, type Aligned, type Metric } from './model/aligned-series';
import { colorOfLine, nameOfLine, RUN_DASHES } from './model/lines';
import type { RunLine } from './use-compared';

const TOPICS: readonly Topic[] = ['series', 'record'];
const OVER_TIME = { group: 'compare', by: 't', title: ({ t }: CrosshairRow) => `${sig3(t)} s` };
const CPU: readonly Metric[] = ['app', 'nic', 'kernel'];

/** Names of lines: only the run's letter if all lines have the same transport, else the letter and the transport. */
export const shortNames = (lines: readonly RunLine[]): ((line: RunLine) => string) => {
  const one = new Set(lines.map(({ transport }) => transport)).size < 2;
  return (line) => (one ? line.run.letter : `${line.run.letter} ${nameOfLine(line)}`);
};

/** Goodput and CPU of all runs over the time since measuring began. */
export function SeriesSection({ lines, views }: { lines: readonly RunLine[]; views: readonly RunView[] }) {
  useTopicsOf(views, TOPICS, 'chart');
  // Series grow in place; their versions show changes.
  const version = views.map(({ model }) => model.version.series).join(' ');
  const aligned = useMemo(() => {
    void version;
    return alignedSeries(lines.map(({ key, run, transport }) => ({ key, model: run.view.model, transport })));
  }, [lines, version]);
  if (aligned.rows.goodput.length === 0 && aligned.holes.length === 0) return <NoSeries lines={lines} />;
  const nameOf = shortNames(lines);
  const overlaid = lines.map((line): OverlayLine => {
    return {
      ...{ key: line.key, warmKey: warm(line.key), name: nameOf(line) },
      ...colorOfLine(line),
      dash: RUN_DASHES[line.run.index],
    };
  });
  const tips = overlaid.flatMap(({ key, warmKey, name, line: color }) => [
    { key, name, color, dot: true },
    { key: warmKey, name: `${name}, warm-up`, color, dot: true },
  ]);
  const chart = (metric: Metric, label: string, unit: string, top: number) => (
    <ChartFrame>
      {(size) => (
        <OverlayChart
          label={`${label} of the runs over the time since measuring began`}
          {...{ unit, lines: overlaid, top, ...size }}
          rows={aligned.rows[metric]}
          holes={aligned.holes.map(({ hole }) => hole)}
          holeValue={(hole) => holeValue(hole, metric)}
          domain={aligned.domain}
          warmUp={aligned.warmUp}
          margin={MARGIN}
          over={<Crosshair {...OVER_TIME} rows={aligned.rows[metric]} lines={tips} unit={unit} />}
        />
      )}
    </ChartFrame>
  );
  // Shared scale, so that the heights of the parts can be compared.
  const cores = Math.max(0.1, ...CPU.map((metric) => topOf(aligned, metric)));
  const parts = CPU.filter((metric) => topOf(aligned, metric) > 0);
  return (
    <div className="space-y-6">
      <ChartBlock
        title="Goodput"
        text="Time 0 is when measuring of each transport began. Shaded and faint: warm-up, which is in no figure."
        table={tableOf(aligned, 'goodput', lines, 'Gb/s')}
      >
        {chart('goodput', 'Goodput', 'Gb/s', topOf(aligned, 'goodput'))}
      </ChartBlock>
      <div className="grid gap-x-6 gap-y-6 lg:grid-cols-3">
        {parts.map((metric) => (
          <ChartBlock
            key={metric}
            title={`CPU: ${metric === 'goodput' ? '' : CPU_COLOR[metric].name}`}
            height="h-52"
            table={tableOf(aligned, metric, lines, 'cores')}
          >
            {chart(
              metric,
              `CPU, ${metric === 'goodput' ? '' : CPU_COLOR[metric].name}, both ends,`,
              'cores',
              cores,
            )}
          </ChartBlock>
        ))}
      </div>
      {aligned.holes.length > 0 ? (
        <p className="text-12 text-ink-3">
          Hatched: a sample that took much longer than the others. The line is its mean.
        </p>
      ) : null}
    </div>
  );
}

/** Rows, one per bin. A single long sample has its own row. */
function tableOf(aligned: Aligned, metric: Metric, lines: readonly RunLine[], unit: string): TableBehind {
  const rows = aligned.rows[metric].map((row) => ({
    t: row.t,
    cells: [
      row.t.toFixed(2),
      ...lines.map(({ key }) => sig3(row[key] ?? row[warm(key)])),
      lines.some(({ key }) => row[warm(key)] !== undefined) ? 'warm-up' : '',
    ],
  }));
  const holes = aligned.holes.map(({ key, hole }) => ({
    t: hole.from,
    cells: [
      `${hole.from.toFixed(2)} to ${hole.to.toFixed(2)}`,
      ...lines.map((line) => (line.key === key ? sig3(holeValue(hole, metric)) : '–')),
      'one sample',
    ],
  }));
  const empty = lines.length;
  return {
    shows: `compare-${metric}-series`,
    head: [
      'Time since measuring began, s',
      ...lines.map((line) => `${line.run.letter} ${nameOfLine(line)}, ${unit}`),
      'Mark',
    ],
    rows: [...rows, ...holes]
      .sort((a, b) => a.t - b.t)
      .map(({ cells }) => cells)
      .filter((cells) => cells.slice(1, 1 + empty).some((cell) => cell !== '–')),
  };
}

function NoSeries({ lines }: { lines: readonly RunLine[] }) {
  return (
    <p className="text-ink-2">
      {lines.length === 0
        ? 'All runs with these transports are hidden. Show one of them above.'
        : 'None of these runs has a time series.'}
    </p>
  );
}
