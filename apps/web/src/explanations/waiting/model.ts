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
      label: 'Computed rate at which sleeping costs as much as polling',
      unit: 'messages/s',
      text: 'Share of a core while polling / CPU time per message of the server that sleeps. Below it, sleeping costs less. Above the rate at which the server that sleeps was measured, this is an extrapolation: a busier server sleeps less often, so the true rate is higher.',
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
      text: '1 / median round trip, for one message at a time. If this is below the computed rate, polling never costs less here.',
    },
  ],
  curves: [
    {
      name: 'share',
      label: 'Share of a core by message rate',
      text: 'Computed from one measured point for each way; the table says at which rate. Polling: the measured share at every rate. The others: measured CPU time per message × rate, at most the share of polling. Each line ends where that server can answer no more, one message at a time. Beyond its measured rate a line is an extrapolation: a busier server sleeps less often, so it costs less than its line says.',
      x: { label: 'Messages per second', log: true },
      y: { label: 'Share of a core', unit: '%', log: true },
      series: WAYS,
    },
  ],
  tables: [
    {
      name: 'ways',
      label: 'The three ways at this rate',
      text: 'Round trips and the measured point are the run’s. Client and server take turns, with a gap after each answer, so each way has a rate of its own. CPU time is that of the server alone; for polling it is only the measured share / rate. A polling server that the machine interrupts can have a high p99. The share at the chosen rate is computed as above.',
      columns: [
        { name: 'way', label: 'The server waits' },
        { name: 'median', label: 'Median round trip', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'cpu', label: 'CPU time per message', unit: 'µs' },
        { name: 'measuredRate', label: 'Measured at', unit: 'messages/s' },
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

/** Messages per second that a server can answer, one at a time. */
const mostOf = ({ median }: Way): number => 1e6 / median;

/** Messages per second of the run: CPU time per second / CPU time per message. */
const measuredRate = ({ share, cpu }: Way): number => share / (cpu * 1e-6);

/** Share of a core, 0 to 1. Null at a rate that it cannot answer. */
function shareAt(way: Way, rate: number, poll: Way): number | null {
  if (rate > mostOf(way)) return null;
  return way.name === 'poll' ? poll.share : Math.min(way.cpu * 1e-6 * rate, poll.share);
}

function percentAt(way: Way, rate: number, poll: Way): number | null {
  const share = shareAt(way, rate, poll);
  return share === null ? null : 100 * share;
}

/** Rates from 1 per second to what a polling server can answer, three per decade. */
export function rates(results: LabResults): number[] {
  const poll = waysOf(results).find(({ name }) => name === 'poll');
  return oneTwoFive(poll ? mostOf(poll) : 1000);
}

export function compute(results: LabResults, { rate }: Using): LabResults {
  const found = noResults();
  const ways = waysOf(results);
  const [poll, event] = ['poll', 'event'].map((name) => ways.find((way) => way.name === name));
  if (!poll || !event) return found;
  found.figures = {
    'break-even': { value: poll.share / (event.cpu * 1e-6) },
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
    share: percentAt(way, rate, poll),
    best: [way === quickest ? ['median round trip'] : [], way === cheapest ? ['CPU time'] : []]
      .flat()
      .join(' and '),
  }));
  const drawn = rates(results);
  found.curves.share = ways.flatMap((way) =>
    drawn.map((x) => ({ x, y: percentAt(way, x, poll), series: way.name })),
  );
  return found;
}
