// The list of runs: each row is compared with the records of its run.
import type { Claim, Roads } from '../claim.js';
import type { Evidence, Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { parseFigure, percentileOf } from '../figures.js';
import { linksOf } from '../links.js';
import { medianCost, medianOf } from '../loops.js';
import { averageOf, polledOf } from '../program.js';
import { slotOf, stated } from './figures.js';
import { gbpsFigure } from './gbps.js';
import { seconds, TWO_CLOCKS_S } from './header.js';

const INTERVALS = 'the intervals of all rounds that count';

const transportOf = (claim: Claim): Measured => claim.data('transport') as Measured;

const isProgram = ({ data }: Evidence): boolean => data.run.lab === 'program';

/** Transport of a program, which is always RDMA: over shared memory alone, or not. */
const programTransport = (evidence: Evidence): Measured =>
  linksOf(evidence).join() === 'shm' ? 'shm' : 'rdma';

function programRate(claim: Claim, { data }: Evidence): void {
  gbpsFigure(claim, averageOf(data)?.gbps ?? null, 'bytes over time of the completion records');
}

function programTail(claim: Claim, evidence: Evidence): void {
  const sorted = polledOf(evidence.data)
    .flatMap(({ latency }) => (latency > 0 ? [latency] : []))
    .sort((a, b) => a - b);
  const road = 'the latencies of the completion records';
  if (sorted.length === 0) return claim.equal('–', road);
  if (sorted.length < 1000) return claim.equal('not enough samples', `${road}: ${sorted.length}`);
  const ns = percentileOf(sorted, 0.99);
  claim.figure(ns / 1000, road, claim.text, slotOf(ns, 1 / 1000) / 1000);
}

/** Runs a check, or expects a dash if the transport was not measured. */
const measured =
  (road: (claim: Claim, evidence: Evidence) => void) =>
  (claim: Claim, evidence: Evidence): void =>
    evidence.rounds(transportOf(claim)).length === 0
      ? claim.equal('–', 'the rounds in the stream, of which there is none')
      : road(claim, evidence);

export const RUNS: Roads<Evidence> = {
  'run-number': (claim, { data }) => claim.equal(data.run.number, 'the record of the run'),
  'run-imported': (claim, { data }) => claim.equal(data.run.imported?.host ?? '–', 'the record of the run'),
  'run-title': (claim, evidence) => {
    const known = { bulk: 'RDMA and TCP on bulk transfers', 'minimal-flow': 'One WRITE, step by step' };
    const { lab, parameters } = evidence.data.run;
    const command = isProgram(evidence) ? (parameters.command as string[]).join(' ') : '';
    const title = isProgram(evidence) ? command.replace(/^\S*\//, '') : known[lab as keyof typeof known];
    claim.equal(title, 'what the test ran');
  },
  'run-took': (claim, evidence) => {
    const { figure } = claim.match(/^(?<figure>[\d.]+) s$/);
    claim.figure(seconds(evidence), 'the run.state events', figure, TWO_CLOCKS_S);
  },
  'run-results': (claim, { data }) => {
    const figures = itemsOf(data, 'figure').filter(({ value }) => value !== null);
    if (figures.length === 0) return claim.equal('–', 'the figure events, of which there is none');
    for (const part of claim.text.split(', ')) {
      const { value } = claim.match(/ (?<value>[\d.,]+)(?: \S+)?$/, part);
      const fits = figures.some((figure) => {
        const shown = parseFigure(value ?? '');
        return shown !== null && Math.abs(shown.value - figure.value!) <= shown.half;
      });
      claim.holds(fits, 'the figure events', `none of this value: ${part}`);
    }
  },
  'program-end': (claim, { program }) =>
    claim.equal(`exit code ${program?.exitCode}`, 'how the process ended'),
  'run-goodput': (claim, evidence) =>
    isProgram(evidence) && transportOf(claim) === programTransport(evidence)
      ? programRate(claim, evidence)
      : measured(() =>
          gbpsFigure(
            claim,
            medianOf(evidence.rounds(transportOf(claim)), (round) => round.goodputGbps),
            INTERVALS,
          ),
        )(claim, evidence),
  'run-cpu': measured((claim, evidence) =>
    claim.figure(medianCost(evidence.rounds(transportOf(claim))).sum, INTERVALS),
  ),
  'run-p99': (claim, evidence) =>
    isProgram(evidence) && transportOf(claim) === programTransport(evidence)
      ? programTail(claim, evidence)
      : measured(() => stated(claim, evidence, 'p99', claim.text))(claim, evidence),
};
