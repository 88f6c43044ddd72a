/** What each way to wait for completions costs at a message rate, from what a run measured at one rate. Pure functions. */
import { noResults, type LabResults, type ResultSpecs, type Row } from '@verbslab/protocol';
import { oneTwoFive } from '../one-two-five';

export const DEFAULTS = { rate: 100 };
export type Using = typeof DEFAULTS;

/** The labels are those of the lab, by which its table names the ways. */
const WAYS = [
  { name: 'poll', label: 'Poll' },
  { name: 'event', label: 'Sleep until an event' },
  { name: 'adaptive', label: 'Poll for the budget, then sleep' },
];

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'break-even',
      label: 'Sleeping costs as much as polling at',
      unit: 'messages/s',
      text: 'Share of a core while polling / CPU time per message of the server that sleeps. Below it, sleeping costs less.',
    },
    {
      name: 'fastest',
      label: 'Most that a polling server answers, one at a time',
      unit: 'messages/s',
      text: '1 / median round trip.',
    },
  ],
  curves: [
    {
      name: 'share',
      label: 'Share of a core by message rate',
      text: 'Computed from one measured point for each way. Polling: the measured share at every rate. The others: measured CPU time per message × rate, at most the share of polling. The lines extrapolate: a busy server sleeps less often, so it costs less than its line says. On a busy machine a polling server gets less than a core.',
      x: { label: 'Messages per second', log: true },
      y: { label: 'Share of a core', unit: '%', log: true },
      series: WAYS,
    },
  ],
  tables: [
    {
      name: 'ways',
      label: 'The three ways at this rate',
      text: 'Round trips and the measured point are the run’s. The share at the chosen rate is computed as above.',
      columns: [
        { name: 'way', label: 'The server waits' },
        { name: 'median', label: 'Median round trip', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'cpu', label: 'CPU time per message', unit: 'µs' },
        { name: 'measuredRate', label: 'Measured at', unit: 'messages/s' },
        { name: 'share', label: 'Share of a core at the chosen rate', unit: '%' },
        { name: 'best', label: 'Best in' },
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
  /** Of a core, 0 to 1. */
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

/** Messages per second of the run: CPU time per second / CPU time per message. */
const measuredRate = ({ share, cpu }: Way): number => share / (cpu * 1e-6);

/** Share of a core, 0 to 1. */
const shareAt = (way: Way, rate: number, poll: Way): number =>
  way.name === 'poll' ? poll.share : Math.min(way.cpu * 1e-6 * rate, poll.share);

/** Rates from 1 per second to what a polling server can answer, three per decade. */
export function rates(results: LabResults): number[] {
  const poll = waysOf(results).find(({ name }) => name === 'poll');
  return oneTwoFive(poll ? 1e6 / poll.median : 1000);
}

export function compute(results: LabResults, { rate }: Using): LabResults {
  const found = noResults();
  const ways = waysOf(results);
  const [poll, event] = ['poll', 'event'].map((name) => ways.find((way) => way.name === name));
  if (!poll || !event) return found;
  found.figures = {
    'break-even': { value: poll.share / (event.cpu * 1e-6) },
    fastest: { value: 1e6 / poll.median },
  };
  const least = (of: (way: Way) => number): Way =>
    ways.reduce((best, way) => (of(way) < of(best) ? way : best));
  const cheapest = least((way) => shareAt(way, rate, poll));
  const quickest = least(({ median }) => median);
  found.tables.ways = ways.map((way) => ({
    way: way.label,
    median: way.median,
    p99: way.p99,
    cpu: way.cpu,
    measuredRate: measuredRate(way),
    share: 100 * shareAt(way, rate, poll),
    best: [way === quickest ? ['latency'] : [], way === cheapest ? ['CPU time'] : []].flat().join(' and '),
  }));
  const drawn = rates(results);
  found.curves.share = ways.flatMap((way) =>
    drawn.map((x) => ({ x, y: 100 * shareAt(way, x, poll), series: way.name })),
  );
  return found;
}
