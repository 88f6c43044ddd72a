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
  // Polling never pauses, so it takes a whole core unless it measured one.
  const taken = poll.percent < 90 ? 100 : poll.percent;
  // µs per message × messages per second / 10,000 is percent of a core.
  const percentAt = ({ name, cpu, median, percent }: (typeof rows)[number], at: number): number | null => {
    if (at > 1e6 / median) return null;
    return name === 'poll' ? taken : Math.min(Math.max(taken, percent), (cpu * at) / 10_000);
  };
  const ends = rows.map(({ median }) => 1e6 / median);
  const most = Math.max(...ends);
  const rates = [0, 1, 2, 3, 4, 5, 6, 7]
    .flatMap((decade) => [1, 2, 5].map((one) => one * 10 ** decade))
    .filter((one) => one <= most);
  const percents = rows.map((row) => percentAt(row, Number(rate)));
  const least = Math.min(...percents.map((one) => one ?? Infinity));
  return {
    figures: {
      'break-even': (taken * 10_000) / event.cpu,
      fastest: 1e6 / poll.median,
      'fastest-event': 1e6 / event.median,
    },
    tables: {
      ways: rows.map(({ way, median, p99, cpu, percent }, i) => ({
        way,
        median,
        p99,
        cpu,
        measuredRate: (percent * 10_000) / cpu,
        measuredShare: percent,
        share: percents[i]!,
        best: [
          rows.findIndex((row) => row.median === Math.min(...rows.map((one) => one.median))) === i
            ? 'median round trip'
            : '',
          percents.indexOf(least) === i ? 'share of a core' : '',
        ]
          .filter(Boolean)
          .join(' and '),
      })),
    },
    curves: {
      share: rows.flatMap((row) =>
        [...rates, ...ends].map((x) => ({ x, y: percentAt(row, x), series: row.name })),
      ),
    },
  };
};
