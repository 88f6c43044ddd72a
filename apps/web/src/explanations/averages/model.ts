/** Mean and percentiles of WRITEs with the slowest left out, from the cumulative counts of a run. Pure functions. */
import {
  LatencyHistogram,
  noResults,
  samplesFor,
  type Distribution,
  type LabResults,
  type ResultSpecs,
} from '@verbslab/protocol';

export const DEFAULTS = { setting: 'spiky', removed: 100, percentile: 99 };
export type Using = typeof DEFAULTS;

export const SETTINGS = [
  { id: 'spiky', text: 'With spikes' },
  { id: 'calm', text: 'Without spikes' },
] as const;

export const PERCENTILES = [50, 75, 90, 95, 99, 99.5, 99.9, 99.99];

const NAMES = [
  { name: 'all', label: 'All WRITEs' },
  { name: 'kept', label: 'Without the slowest' },
];

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'faster',
      label: 'WRITEs faster than the mean',
      unit: '%',
      text: 'Of the WRITEs that are left, compared with their mean.',
    },
    {
      name: 'one-in',
      label: 'One WRITE takes longer than the chosen percentile in',
      unit: 'WRITEs',
      text: '1 / (1 − percentile / 100). Slow WRITEs that are much rarer than this hardly move the percentile; the closer they come to it, the more. The slowest one is the maximum, and each one adds to the mean.',
    },
    {
      name: 'chosen',
      label: 'The chosen percentile',
      unit: 'µs',
      text: 'Of the WRITEs that are left. Withheld where fewer than 10 of them took longer.',
    },
  ],
  tables: [
    {
      name: 'summaries',
      label: 'Summaries',
      text: 'The run recorded each latency to within 1 %, and the exact mean. Mean of the rest = (n × mean − sum of the latencies left out) / WRITEs left. Percentiles are read from the counts that are left.',
      columns: [
        { name: 'what', label: 'WRITEs' },
        { name: 'n', label: 'n' },
        { name: 'mean', label: 'Mean', unit: 'µs' },
        { name: 'p50', label: 'p50', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'p999', label: 'p99.9', unit: 'µs' },
        { name: 'max', label: 'Maximum', unit: 'µs' },
      ],
    },
  ],
  curves: [
    {
      name: 'percentiles',
      label: 'Percentiles',
      text: 'One in N WRITEs took longer: p50 is at 2, p99 at 100, p99.9 at 1,000. A line ends where fewer than 10 WRITEs took longer.',
      x: { label: 'N: one in N took longer', log: true },
      y: { label: 'Latency', unit: 'µs', log: true },
      series: NAMES,
    },
  ],
};

/** Slots of the recorded latencies, ns, from the counts of those that took at most so long. */
export function slotsOf({ curves }: LabResults, setting: string): Distribution {
  let before = 0;
  return (curves.cumulative ?? []).flatMap(({ x, y, series }) => {
    if (series !== setting || y === null) return [];
    const count = y - before;
    before = y;
    return [[x * 1000, count] as [number, number]];
  });
}

/** The distribution without the `removed` slowest, and the sum of their latencies, ns. */
export function withoutSlowest(slots: Distribution, removed: number): { kept: Distribution; sum: number } {
  let left = removed;
  let sum = 0;
  const kept: Distribution = [];
  for (const [ns, count] of slots.toReversed()) {
    const gone = Math.min(left, count);
    left -= gone;
    sum += gone * ns;
    if (count > gone) kept.push([ns, count - gone]);
  }
  return { kept: kept.reverse(), sum };
}

/** Numbers of WRITEs that can be left out: up to a tenth of them. */
export const removable = (n: number): number[] =>
  [0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 500, 1000, 2000, 5000, 10_000].filter((one) => one <= n / 10);

export const countOf = (slots: Distribution): number => slots.reduce((sum, [, count]) => sum + count, 0);

export const oneIn = (percentile: number): number => Number((1 / (1 - percentile / 100)).toPrecision(6));

const at = (histogram: LatencyHistogram, percentile: number): number | null =>
  histogram.count < samplesFor(percentile / 100) ? null : histogram.valueAt(percentile / 100) / 1000;

export function compute(results: LabResults, { setting, removed, percentile }: Using): LabResults {
  const found = noResults();
  const all = slotsOf(results, setting);
  const { kept, sum } = withoutSlowest(all, removed);
  const n = countOf(all);
  const mean = results.figures[setting === 'calm' ? 'mean-calm' : 'mean']?.value ?? NaN;
  const both = [
    { name: 'all', what: 'All', slots: all, mean },
    { name: 'kept', what: 'Without the slowest', slots: kept, mean: (n * mean - sum / 1000) / (n - removed) },
  ];
  found.tables.summaries = [];
  found.curves.percentiles = [];
  for (const { name, what, slots, mean: its } of both) {
    const histogram = LatencyHistogram.of(slots);
    found.tables.summaries.push({
      what,
      n: histogram.count,
      mean: its,
      p50: at(histogram, 50),
      p99: at(histogram, 99),
      p999: at(histogram, 99.9),
      max: histogram.max / 1000,
    });
    for (const one of PERCENTILES) {
      const y = at(histogram, one);
      if (y !== null) found.curves.percentiles.push({ x: oneIn(one), y, series: name });
    }
    if (name !== 'kept') continue;
    const faster = slots.reduce((count, [ns, more]) => count + (ns / 1000 < its ? more : 0), 0);
    found.figures = {
      faster: { value: (100 * faster) / histogram.count },
      'one-in': { value: oneIn(percentile) },
      chosen: { value: at(histogram, percentile) },
    };
  }
  return found;
}
