// Means over windows of time: every completion of the run, on a clock that ran only during its rounds.
import { itemsOf } from '../export.js';
import type { Recompute } from './found.js';

const LENGTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const MOST_WINDOWS = 2000;

const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;

export const averagesOverTime: Recompute = ({ data }, { setting, window }) => {
  const begins = setting === 'spiky' ? 'WRITEs with spikes' : 'WRITEs without spikes';
  const sources = itemsOf(data, 'source').filter(({ label }) => label.startsWith(begins));
  /** ms and µs. */
  const all: { at: number; us: number }[] = [];
  let end = 0;
  for (const { source } of sources) {
    const round = itemsOf(data, 'completions').flatMap((frame) =>
      frame.source === source
        ? frame.columns.dt.map((dt, i) => ({ t: frame.t + dt, ns: frame.columns.latency[i]! }))
        : [],
    );
    const posted = round[0]!.t - round[0]!.ns;
    for (const { t, ns } of round) all.push({ at: end + (t - posted) / 1e6, us: ns / 1000 });
    end = all.at(-1)!.at;
  }
  const split = (length: number): Map<number, number[]> => {
    const windows = new Map<number, number[]>();
    for (const { at, us } of all) {
      const number = Math.floor(at / length);
      const list = windows.get(number);
      if (list) list.push(us);
      else windows.set(number, [us]);
    }
    return windows;
  };
  const highest = (length: number): number => Math.max(...[...split(length).values()].map(mean));
  const total = mean(all.map(({ us }) => us));
  const length = Number(window);
  const chosen = split(length);
  const slowest = Math.max(...all.map(({ us }) => us));
  const around = [...chosen.values()].find((list) => list.includes(slowest))!;
  const numbers = [...chosen.keys()];
  const beforeGaps = numbers.filter((number, i) => i + 1 < numbers.length && numbers[i + 1]! > number + 1);
  const drawn = LENGTHS.filter((length) => end / length <= MOST_WINDOWS);
  const whole = drawn.findIndex((length) => length >= end);
  return {
    figures: {
      highest: highest(length),
      all: total,
      slowest,
      around: mean(around),
    },
    tables: {
      lengths: (whole < 0 ? drawn : drawn.slice(0, whole + 1)).map((each) => {
        const windows = split(each);
        return {
          window: each,
          windows: windows.size,
          each: all.length / windows.size,
          highest: highest(each),
          ratio: highest(each) / total,
        };
      }),
    },
    curves: {
      windows: [
        ...[...chosen].flatMap(([number, list]) => [
          { x: number * length, y: mean(list), series: 'mean' },
          { x: number * length, y: Math.max(...list), series: 'slowest' },
        ]),
        // Each gap begins with a row without values.
        ...beforeGaps.map((number) => ({ x: (number + 1) * length, y: null, series: 'mean' })),
      ],
    },
  };
};
