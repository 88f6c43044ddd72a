/** Averages of a run over windows of time, from the times of its completions. Pure functions. */
import { noResults, type LabResults, type ResultSpecs } from '@verbslab/protocol';
import type { Source } from '@verbslab/charts/data';
import type { CompletionSnapshot } from '../../model/completion-snapshot';
import { oneTwoFive } from '../one-two-five';

export const DEFAULTS = { window: 10 };
export interface Using extends Record<string, string | number> {
  setting: string;
  /** ms. */
  window: number;
}

/** Most windows in a chart: more would be closer together than its pixels. */
const MOST_WINDOWS = 2000;
const LONGEST_MS = 1000;

/** First words of the labels of the lab's sources. */
const LABELS: Readonly<Record<string, string>> = {
  spiky: 'WRITEs with spikes',
  calm: 'WRITEs without spikes',
};

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'highest',
      label: 'Highest mean of a window',
      unit: 'µs',
      text: 'Of the windows of the chosen length.',
    },
    {
      name: 'all',
      label: 'Mean of all WRITEs',
      unit: 'µs',
      text: 'Of those whose completion this page has.',
    },
    {
      name: 'slowest',
      label: 'Slowest WRITE',
      unit: 'µs',
      text: 'The same for every window length. The exact time; the maximum above is recorded to within 1 %.',
    },
    {
      name: 'around',
      label: 'Mean of the window with the slowest WRITE',
      unit: 'µs',
      text: 'What the average shows of it.',
    },
  ],
  curves: [
    {
      name: 'windows',
      label: 'Mean over time',
      text: 'A WRITE counts in the window in which it completed. The rounds of the run follow each other without the pauses between them. A window without completions is a gap: mostly, a WRITE longer than the window was under way.',
      x: { label: 'Start of the window', unit: 'ms', digits: 5 },
      y: { label: 'Latency', unit: 'µs', log: true },
      series: [
        { name: 'mean', label: 'Mean' },
        { name: 'slowest', label: 'Slowest' },
      ],
    },
  ],
  tables: [
    {
      name: 'lengths',
      label: 'Every window length',
      text: 'Highest / mean of all: how far the highest average stands out. One slow WRITE moves the mean of few WRITEs more than the mean of many.',
      columns: [
        { name: 'window', label: 'Window', unit: 'ms', digits: 4 },
        { name: 'windows', label: 'Windows with completions', digits: 5 },
        { name: 'each', label: 'WRITEs per window' },
        { name: 'highest', label: 'Highest mean', unit: 'µs' },
        { name: 'ratio', label: 'Highest / mean of all' },
      ],
    },
  ],
};

/** Completions of a setting: times in ns on a clock that stops between rounds, and latencies in ns. */
export interface Timed {
  at: number[];
  latency: number[];
}

export function timedOf(
  { t, source, columns }: Pick<CompletionSnapshot, 't' | 'source' | 'columns'>,
  sources: ReadonlyMap<number, Pick<Source, 'label'>>,
  setting: string,
): Timed {
  const label = LABELS[setting] ?? '';
  const timed: Timed = { at: [], latency: [] };
  let [of, start, before] = [-1, 0, 0];
  t.forEach((time, i) => {
    const from = source[i]!;
    const latency = columns.latency[i]!;
    if (!sources.get(from)?.label.startsWith(label)) return;
    if (from !== of) {
      // A round begins when its first WRITE is posted, directly after the end of the previous round.
      before = timed.at.at(-1) ?? 0;
      start = time - latency;
      of = from;
    }
    timed.at.push(before + time - start);
    timed.latency.push(latency);
  });
  return timed;
}

/** Window lengths, ms: up to one that holds the whole run, at most 1 s. */
export function windowsOf({ at }: Timed): number[] {
  const total = (at.at(-1) ?? 0) / 1e6;
  const all = oneTwoFive(LONGEST_MS).filter((one) => total / one <= MOST_WINDOWS);
  const whole = all.findIndex((one) => one >= total);
  return whole < 0 ? all : all.slice(0, whole + 1);
}

interface Window {
  /** ms. */
  from: number;
  n: number;
  /** ns. */
  sum: number;
  slowest: number;
}

function inWindows({ at, latency }: Timed, window: number): Window[] {
  const found: Window[] = [];
  at.forEach((time, i) => {
    const from = Math.floor(time / 1e6 / window) * window;
    const last = found.at(-1);
    const one = last?.from === from ? last : { from, n: 0, sum: 0, slowest: 0 };
    if (one !== last) found.push(one);
    one.n++;
    one.sum += latency[i]!;
    one.slowest = Math.max(one.slowest, latency[i]!);
  });
  return found;
}

/** µs. */
const meanOf = ({ n, sum }: Pick<Window, 'n' | 'sum'>): number => sum / n / 1000;

const highestOf = (windows: readonly Window[]): number =>
  windows.reduce((most, one) => Math.max(most, meanOf(one)), 0);

/**
 * True if the window with the highest mean is the last one, cut off by the end of the run: it averages less time than
 * the others.
 */
export function highestIsCut(timed: Timed, window: number): boolean {
  const windows = inWindows(timed, window);
  const last = windows.at(-1);
  if (windows.length < 2 || !last) return false;
  return meanOf(last) === highestOf(windows) && last.from + window > timed.at.at(-1)! / 1e6;
}

export function compute(timed: Timed, { window }: Pick<Using, 'window'>): LabResults {
  const found = noResults();
  const n = timed.at.length;
  if (n === 0) return found;
  const all = timed.latency.reduce((sum, one) => sum + one, 0) / n / 1000;
  const chosen = inWindows(timed, window);
  const slowest = chosen.reduce((a, b) => (b.slowest > a.slowest ? b : a));
  found.figures = {
    highest: { value: highestOf(chosen) },
    all: { value: all },
    slowest: { value: slowest.slowest / 1000 },
    around: { value: meanOf(slowest) },
  };
  found.curves.windows = chosen.flatMap((one, i) => {
    const empty = one.from + window;
    const next = chosen[i + 1];
    return [
      { x: one.from, y: meanOf(one), series: 'mean' },
      { x: one.from, y: one.slowest / 1000, series: 'slowest' },
      // A line must not run across windows without completions.
      ...(next && next.from > empty
        ? ['mean', 'slowest'].map((series) => ({ x: empty, y: null, series }))
        : []),
    ];
  });
  found.tables.lengths = windowsOf(timed).map((length) => {
    const windows = inWindows(timed, length);
    const highest = highestOf(windows);
    return {
      window: length,
      windows: windows.length,
      each: n / windows.length,
      highest,
      ratio: highest / all,
    };
  });
  return found;
}
