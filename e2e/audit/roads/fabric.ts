// Simulations of fabrics, from the events of the run.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type ItemOf } from '../export.js';
import { bodyOf, number } from './results.js';
import { shape, type Sentence } from './sentences.js';

const EVENT = 'the event of the simulation';

const simulationOf = (claim: Claim, { data }: Evidence): ItemOf<'simulation'> =>
  itemsOf(data, 'simulation').filter((one, i, all) => !one.running || i === all.length - 1)[
    Number(claim.shown.data.simulation ?? 0)
  ] ?? claim.fail('the events', 'no simulation');

const mechanismOf = (claim: Claim, evidence: Evidence): ItemOf<'simulation'>['mechanisms'][number] =>
  simulationOf(claim, evidence).mechanisms.find(({ name }) => name === claim.data('mechanism')) ??
  claim.fail(EVENT, 'no such mechanism');

/** A value as it is typed. */
const word = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Figure = (simulation: ItemOf<'simulation'>) => number | undefined;
const FIGURES: Readonly<Record<string, Figure>> = {
  'Goodput, all hosts, Gb/s': ({ result }) => result?.goodput_gbps,
  'Flows finished': ({ result }) => result?.flows_finished,
  'Flows failed': ({ result }) => result?.flows_failed,
  'Flows not finished': ({ result }) => result?.flows_unfinished,
  'Time of a flow, p50, µs': ({ result }) => result?.flow_time_us?.p50,
  'Time of a flow, p99, µs': ({ result }) => result?.flow_time_us?.p99,
  'Slowdown, p50': ({ slowdown }) => slowdown?.p50,
  'Slowdown, p99': ({ slowdown }) => slowdown?.p99,
};

export const FABRIC: Roads<Evidence> = {
  'fabric-of': (claim, evidence) => {
    const { fabric, result } = simulationOf(claim, evidence);
    const told = claim.match(
      /^(?<hosts>[\d,]+) hosts?, (?<switches>[\d,]+) switch(?:es)?\. (?:All times are virtual: (?<us>[\d,.]+) µs were simulated|The simulation (?:was cancelled|did not end))/,
    );
    claim.count(fabric?.hosts ?? NaN, EVENT, told.hosts);
    claim.count(fabric?.switches ?? NaN, EVENT, told.switches);
    if (result) claim.figure(result.us, EVENT, told.us);
  },
  'fabric-samples': (claim, evidence) => {
    const { series } = simulationOf(claim, evidence);
    const told = claim.match(/^(?<samples>[\d,]+) samples(?:, thinned to (?<points>[\d,]+) points)?/);
    claim.count(series?.samples ?? NaN, EVENT, told.samples);
    if (told.points !== undefined) claim.count(series?.us.length ?? NaN, EVENT, told.points);
  },
  'fabric-series': (claim, evidence) => {
    const { series } = simulationOf(claim, evidence);
    const { body } = bodyOf(claim);
    claim.equal(series?.us.length ?? NaN, EVENT, String(body.length));
    series?.us.forEach((us, i) => number(claim, us, body[i]?.[0] ?? ''));
  },
  'fabric-figure': (claim, evidence) => {
    const value = FIGURES[claim.data('figure')]?.(simulationOf(claim, evidence));
    claim.figure(value ?? NaN, EVENT);
  },
  'fabric-fired': (claim, evidence) => {
    const { fired } = mechanismOf(claim, evidence);
    if (fired === 0) claim.equal('never', EVENT);
    else claim.count(fired, EVENT);
  },
  'simulation-title': (claim, evidence) => {
    const { scenario } = simulationOf(claim, evidence);
    claim.equal(`Simulation: ${word(scenario?.name)}`, 'the name in its scenario');
  },
  'simulation-answer': (claim, evidence) => {
    const { result } = simulationOf(claim, evidence);
    const told = claim.match(
      /^(?<gbps>[\d.,]+) Gb\/s of payload were acknowledged in (?<us>[\d.,]+) µs of virtual time; (?<flows>[\d,]+) flows? finished/,
    );
    claim.figure(result?.goodput_gbps ?? NaN, EVENT, told.gbps);
    claim.figure(result?.us ?? NaN, EVENT, told.us);
    claim.count(result?.flows_finished ?? NaN, EVENT, told.flows);
  },
  'sim-command': (claim, { data }) => {
    const { scenario, seed, ...changes } = data.run.parameters;
    const set = Object.entries(changes).map(([path, value]) => ` --set ${path}=${word(value)}`);
    const words = `${word(scenario)}${set.join('')}${seed === 1 ? '' : ` --seed ${word(seed)}`}`;
    claim.equal(`npx verbslab sim ${words}`, 'the parameters of the run');
  },
  'fabric-says': (claim, evidence) => claim.equal(mechanismOf(claim, evidence).says, EVENT),
};

/** Simulated points of a recovery, by message size. */
const pointsOf = ({ data }: Evidence, series: string): { x: number; y: number }[] =>
  itemsOf(data, 'point').flatMap((point) =>
    point.series === series && point.y !== null ? [{ x: point.x, y: point.y }] : [],
  );

/** Packets that are wasted per loss: those that leave in the round trip of the packet behind the lost one. */
function wasted(mtu: number): number {
  const packet = ((mtu + 82) * 8) / 100;
  return Math.ceil((2 * packet + 2 * (1000 + 2 * 500) + (86 * 8) / 100) / packet);
}

/** A member of an object of a scenario: a number, or NaN if it has none. */
export function memberOf(
  scenario: ItemOf<'simulation'>['scenario'],
  object: 'link' | 'transport',
  name: string,
): number {
  const all = scenario?.[object];
  const value = typeof all === 'object' && all !== null && !Array.isArray(all) ? all[name] : undefined;
  return typeof value === 'number' ? value : NaN;
}

/** What the simulator said of the largest messages with a recovery. */
function largestOf(claim: Claim, { data }: Evidence, recovery: string) {
  const { largest, mtu } = data.run.parameters;
  const found = itemsOf(data, 'simulation').find(
    ({ scenario }) =>
      JSON.stringify(scenario?.transport).includes(`"${recovery}"`) &&
      memberOf(scenario, 'transport', 'message_bytes') === Number(largest),
  );
  const result = found?.result ?? claim.fail('the simulations', `none with ${recovery}`);
  // A data packet with its headers, preamble and gap, on a link of 100 Gb/s.
  const bits = (result.packets.data?.made ?? 0) * (Number(mtu) + 82) * 8;
  return { size: Number(largest), gbps: result.goodput_gbps, used: bits / result.us / 1000 };
}

/** Answers of simulated labs. */
export const LIVELOCK_ANSWERS: readonly Sentence[] = [
  {
    shape: shape(
      'Go-back-0 restarts a message of {size} at its first packet before it is complete: the link is {used} % full and delivers nothing.',
    ),
    holds: (claim, evidence, parts) => {
      const { size, gbps, used } = largestOf(claim, evidence, 'go-back-0');
      claim.quantity(size, 'the scenarios', parts.size);
      claim.equal(gbps, 'the result of the simulation', '0');
      claim.figure(used, 'the packets of the simulation', parts.used);
    },
  },
  {
    shape: shape('Go-back-N delivers {r} Gb/s.'),
    holds: (claim, evidence, parts) =>
      claim.figure(largestOf(claim, evidence, 'go-back-n').gbps, 'the result of the simulation', parts.r),
  },
];

/** Checks of the go-back-0 livelock. */
export const LIVELOCK_CHECKS: Readonly<Record<string, (claim: Claim, evidence: Evidence) => boolean>> = {
  stops: (claim, evidence) => {
    const told = claim.match(
      /^(?<sizes>\d+) sizes are above the limit of (?<limit>.+); (?<none>\d+) delivered nothing\.$/,
    );
    const { every, mtu } = evidence.data.run.parameters;
    const limit = (Number(every) - wasted(Number(mtu))) * Number(mtu);
    const beyond = pointsOf(evidence, 'go-back-0').filter(({ x }) => x > limit);
    const none = beyond.filter(({ y }) => y === 0).length;
    claim.quantity(limit, 'packets between two losses', told.limit);
    claim.count(beyond.length, 'the points of the curve', told.sizes);
    claim.count(none, 'the points of the curve', told.none);
    return none === beyond.length;
  },
  recovers: (claim, evidence) => {
    const { rate } = claim.match(
      /^Go-back-N delivers (?<rate>[\d.,]+) Gb\/s of the largest messages, and is slower than go-back-0 at 0 sizes\.$/,
    );
    const [zero, n] = ['go-back-0', 'go-back-n'].map((series) => pointsOf(evidence, series));
    claim.figure(n!.at(-1)!.y, 'the points of the curve', rate);
    return n!.every(({ y }, i) => y >= zero![i]!.y * 0.95);
  },
  formula: (claim, evidence) => {
    const { count, every, most } = claim.match(
      /^(?<count>\d+) of every (?<every>\d+) packets count\. The simulation differs from the formula by at most (?<most>[\d.,]+) %\.$/,
    );
    const { every: lost, mtu } = evidence.data.run.parameters;
    claim.equal(Number(lost), 'the parameters', every);
    claim.count(Number(lost) - wasted(Number(mtu)), 'packets between two losses', count);
    const off = ['go-back-0', 'go-back-n'].flatMap((series) => {
      const formula = pointsOf(evidence, `${series}-formula`);
      return pointsOf(evidence, series).flatMap(({ y }, i) =>
        formula[i]!.y > 0 ? [Math.abs(y / formula[i]!.y - 1) * 100] : [],
      );
    });
    claim.figure(Math.max(...off), 'the points of the curve', most);
    return Math.max(...off) <= 5;
  },
};
