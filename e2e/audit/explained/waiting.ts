// The share of a core of each way to wait, from the rows of the run.
import { rowsOf, type Recompute } from './found.js';

const NAMES: Readonly<Record<string, string>> = {
  Poll: 'poll',
  'Sleep until an event': 'event',
  'Poll for the budget, then sleep': 'adaptive',
};

export const waiting: Recompute = (evidence, { rate }) => {
  const rows = rowsOf(evidence, 'ways').map((row) => ({
    name: NAMES[String(row.way)]!,
    way: String(row.way),
    median: Number(row.median),
    p99: row.p99 ?? null,
    cpu: Number(row.cpu),
    percent: Number(row.share),
  }));
  const poll = rows.find(({ name }) => name === 'poll')!;
  const event = rows.find(({ name }) => name === 'event')!;
  // µs per message × messages per second / 10,000 is percent of a core.
  const percentAt = ({ name, cpu, median }: (typeof rows)[number], at: number): number | null => {
    if (at * median > 1e6) return null;
    return name === 'poll' ? poll.percent : Math.min(poll.percent, (cpu * at) / 10_000);
  };
  const most = 1e6 / poll.median;
  const rates = [0, 1, 2, 3, 4, 5, 6, 7]
    .flatMap((decade) => [1, 2, 5].map((one) => one * 10 ** decade))
    .filter((one) => one <= most);
  const percents = rows.map((row) => percentAt(row, Number(rate)));
  const least = Math.min(...percents.map((one) => one ?? Infinity));
  return {
    figures: {
      'break-even': (poll.percent * 10_000) / event.cpu,
      fastest: most,
      'fastest-event': 1e6 / event.median,
    },
    tables: {
      ways: rows.map(({ way, median, p99, cpu, percent }, i) => ({
        way,
        median,
        p99,
        cpu,
        measuredRate: (percent * 10_000) / cpu,
        share: percents[i]!,
        best: [
          rows.findIndex((row) => row.median === Math.min(...rows.map((one) => one.median))) === i
            ? 'median round trip'
            : '',
          percents.indexOf(least) === i ? 'CPU time' : '',
        ]
          .filter(Boolean)
          .join(' and '),
      })),
    },
    curves: {
      share: rows.flatMap((row) => rates.map((x) => ({ x, y: percentAt(row, x), series: row.name }))),
    },
  };
};
