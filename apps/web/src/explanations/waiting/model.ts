/** Cost of each way to wait for completions by message rate, computed from a run at a single rate. Pure functions. */
import { noResults, type LabResults, type ResultSpecs, type Row } from '@verbslab/protocol';
import { oneTwoFive } from '../one-two-five';

export const DEFAULTS = { rate: 100 };
export type Using = typeof DEFAULTS;

/** Ways to wait. The labels must match those in the lab's table. */
const WAYS = [
  { name: 'poll', label: 'Poll' },
  { name: 'event', label: 'Sleep until an event' },
  { name: 'adaptive', label: 'Poll for the budget, then sleep' },
];

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'break-even',
      label: 'Computed rate at which sleeping costs as much as polling',
      unit: 'messages/s',
      text: 'Share of a core that polling takes / CPU time per message of the server that sleeps. Below it, sleeping costs less. A server that sleeps costs less per message the more messages come, and more the fewer come. So the true rate is higher if this one is above the measured rate of that server, and lower if it is below.',
    },
    {
      name: 'fastest',
      label: 'Highest rate that a polling server can answer',
      unit: 'messages/s',
      text: '1 / median round trip, for one message at a time.',
    },
    {
      name: 'fastest-event',
      label: 'Highest rate that a server that sleeps can answer',
      unit: 'messages/s',
      text: '1 / median round trip, for one message at a time. Above it the server cannot keep up.',
    },
  ],
  curves: [
    {
      name: 'share',
      label: 'Share of a core by message rate',
      text: 'Computed from one measured point for each way; the table says at which rate. Polling: the same share at every rate, because it never stops. The others: measured CPU time per message × rate, at most the share of polling or their own measured share. Each line ends at the highest rate that this server can answer, one message at a time. Away from its measured rate a line is an extrapolation: a server that sleeps costs less per message the more messages come.',
      x: { label: 'Messages per second', log: true },
      y: { label: 'Share of a core', unit: '%', log: true },
      series: WAYS,
    },
  ],
  tables: [
    {
      name: 'ways',
      label: 'The three ways at this rate',
      text: 'Round trips, CPU time and measured share are the run’s. Client and server take turns, with a gap after each answer, so each way has a rate of its own. CPU time is that of the server alone, measured share / measured rate. A server that polls spends it on waiting as well, so at another rate a message costs another time. The share at the chosen rate is computed as above.',
      columns: [
        { name: 'way', label: 'The server waits' },
        { name: 'median', label: 'Median round trip', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'cpu', label: 'CPU time per message', unit: 'µs' },
        { name: 'measuredRate', label: 'Measured at', unit: 'messages/s' },
        { name: 'measuredShare', label: 'Measured share of a core', unit: '%' },
        { name: 'share', label: 'Share of a core at the chosen rate', unit: '%' },
        { name: 'best', label: 'Lowest in' },
      ],
    },
  ],
};

interface Way {
  name: string;
  label: string;
  /** µs. */
  median: number;
  p99: number | null;
  cpu: number;
  /** Share of a core, 0 to 1. */
  share: number;
}

const waysOf = ({ tables }: LabResults): Way[] =>
  WAYS.flatMap((way) => {
    const row: Row | undefined = tables.ways?.find((one) => one.way === way.label);
    if (!row) return [];
    const p99 = typeof row.p99 === 'number' ? row.p99 : null;
    const [median, cpu, share] = [Number(row.median), Number(row.cpu), Number(row.share) / 100];
    return [{ ...way, median, p99, cpu, share }];
  });

/** Messages per second that a server can answer, one at a time. */
const mostOf = ({ median }: Way): number => 1e6 / median;

/** Message rate of the run, per second: CPU time per second / CPU time per message. */
const measuredRate = ({ share, cpu }: Way): number => share / (cpu * 1e-6);

/** Below this share of a core, a server that polls had to wait for the core, because other programs used it. */
const HAD_ITS_CORE = 0.9;

const hadItsCore = ({ share }: Way): boolean => share >= HAD_ITS_CORE;

/** Share of a core that polling takes, 0 to 1. Polling never stops, so it takes a whole core wherever it can. */
const takenBy = (poll: Way): number => (hadItsCore(poll) ? poll.share : 1);

/** Share of a core, 0 to 1. Null at a rate that the server cannot answer. */
function shareAt(way: Way, rate: number, poll: Way): number | null {
  if (rate > mostOf(way)) return null;
  const whole = takenBy(poll);
  return way.name === 'poll' ? whole : Math.min(way.cpu * 1e-6 * rate, Math.max(whole, way.share));
}

function percentAt(way: Way, rate: number, poll: Way): number | null {
  const share = shareAt(way, rate, poll);
  return share === null ? null : 100 * share;
}

/** Rates from 1 per second to the highest that one of the servers can answer, three per decade. */
export function rates(results: LabResults): number[] {
  const ways = waysOf(results);
  return oneTwoFive(ways.length > 0 ? Math.max(...ways.map(mostOf)) : 1000);
}

/** Verdict from the figures of a run, and reasons to doubt it. */
export interface Verdict {
  /** Computed rate above which polling costs less; null if no server that sleeps can answer so many messages. */
  from: number | null;
  /** True if the real rate may be higher: a server that sleeps costs less per message above the measured rate. */
  atLeast: boolean;
  /** True if the server that polled did not get a core. */
  lacking: boolean;
  /** True if the server that polled answered later than the one that slept. */
  slower: boolean;
}

export function verdictOf(results: LabResults): Verdict | null {
  const { poll, event } = pairOf(waysOf(results));
  if (!poll || !event) return null;
  const from = breakEven(poll, event);
  return {
    from: from > mostOf(event) ? null : from,
    atLeast: from > measuredRate(event),
    lacking: !hadItsCore(poll),
    slower: poll.median > event.median,
  };
}

const pairOf = (ways: readonly Way[]) => ({
  poll: ways.find(({ name }) => name === 'poll'),
  event: ways.find(({ name }) => name === 'event'),
});

/** Rate above which polling costs less, messages per second. */
const breakEven = (poll: Way, event: Way): number => takenBy(poll) / (event.cpu * 1e-6);

export function compute(results: LabResults, { rate }: Using): LabResults {
  const found = noResults();
  const ways = waysOf(results);
  const { poll, event } = pairOf(ways);
  if (!poll || !event) return found;
  found.figures = {
    'break-even': { value: breakEven(poll, event) },
    fastest: { value: mostOf(poll) },
    'fastest-event': { value: mostOf(event) },
  };
  const least = (of: (way: Way) => number): Way =>
    ways.reduce((best, way) => (of(way) < of(best) ? way : best));
  const cheapest = least((way) => shareAt(way, rate, poll) ?? Infinity);
  const quickest = least(({ median }) => median);
  found.tables.ways = ways.map((way) => ({
    way: way.label,
    median: way.median,
    p99: way.p99,
    cpu: way.cpu,
    measuredRate: measuredRate(way),
    measuredShare: 100 * way.share,
    share: percentAt(way, rate, poll),
    best: [way === quickest ? ['median round trip'] : [], way === cheapest ? ['share of a core'] : []]
      .flat()
      .join(' and '),
  }));
  // Each line ends at the highest rate of its server, which is between two of the rates.
  const drawn = [...new Set([...rates(results), ...ways.map(mostOf)])].sort((a, b) => a - b);
  found.curves.share = ways.flatMap((way) =>
    drawn.map((x) => ({ x, y: percentAt(way, x, poll), series: way.name })),
  );
  return found;
}
