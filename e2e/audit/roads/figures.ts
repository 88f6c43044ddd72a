// The table of figures, and the cost panel with the same figures: medians and spreads over the rounds.
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { sum } from '../figures.js';
import { COUNTERS_ROAD, linkOf, PATHS, transportNamed } from '../links.js';
import { gbpsFigure } from './gbps.js';
import {
  costsOf,
  latenciesIn,
  medianCost,
  medianOf,
  ofMeasured,
  percentile,
  type Loop,
  type Round,
  type Share,
} from '../loops.js';

const INTERVALS = 'the intervals of all rounds that count';

const transportOf = (claim: Claim): Measured => claim.data('transport') as Measured;
const roundsOf = (claim: Claim, evidence: Evidence): Round[] => evidence.rounds(transportOf(claim));

/** The transport of a row, by its name with its link. */
export const named = (claim: Claim, evidence: Evidence, name: string): Measured =>
  transportNamed(evidence, name) ?? claim.fail(COUNTERS_ROAD, 'another link', name);

/** Figure in `13.1`, or in `Application 0.343` and `13.1 s/GB` in the chart. */
const figureIn = (text: string): string => /[\d.,]+(?!.*\d)/.exec(text)?.[0] ?? text;

function spread(claim: Claim, values: readonly number[]): void {
  const { least, most } = claim.match(/^(?<least>[\d.,]+)–(?<most>[\d.,]+)$/);
  claim.figure(Math.min(...values), INTERVALS, least);
  claim.figure(Math.max(...values), INTERVALS, most);
}

const part =
  (which: 'app' | 'nic' | 'kernel' | 'sum') =>
  (claim: Claim, evidence: Evidence): void =>
    claim.figure(medianCost(roundsOf(claim, evidence))[which], INTERVALS, figureIn(claim.text));

const share =
  (which: Share) =>
  (claim: Claim, evidence: Evidence): void =>
    stated(claim, evidence, which, claim.text);

/** Checks a percentile in microseconds. Words replace it if too few samples lie beyond the percentile. */
export function stated(claim: Claim, evidence: Evidence, which: Share, shown: string): void {
  const latencies = evidence.latencies(transportOf(claim));
  const ns = percentile(latencies, which);
  if (ns === null) claim.equal('not enough samples', `${latencies.road}: ${latencies.sorted.length}`, shown);
  else claim.figure(ns / 1000, latencies.road, shown, slotOf(ns, latencies.slot) / 1000);
}

/** Width of a recorder's slot, ns. The device's recorder keeps a sample as the upper end of its slot. */
export const slotOf = (ns: number, slot: number): number => Math.max(1, ns * slot);

/** Checks the NIC work. TCP has no device, so no interval of it has NIC work. */
function nicWork(claim: Claim, evidence: Evidence): void {
  if (transportOf(claim) !== 'tcp') return part('nic')(claim, evidence);
  const reported = roundsOf(claim, evidence).flatMap(({ client, server }) =>
    [client, server].map((loop) => ofMeasured(loop, 'nicNs')),
  );
  claim.equal(0, INTERVALS, String(sum(reported)));
  claim.match(/^(NIC work )?none$/);
}

export const FIGURES: Roads<Evidence> = {
  goodput: (claim, evidence) =>
    gbpsFigure(
      claim,
      medianOf(roundsOf(claim, evidence), (round) => round.goodputGbps),
      INTERVALS,
    ),
  'link-path': (claim, evidence) => {
    const link = linkOf(evidence, transportOf(claim));
    claim.equal(link === null ? 'no link' : PATHS[link], COUNTERS_ROAD);
  },
  'goodput-spread': (claim, evidence) => {
    const [least, most] = claim.text.split('–');
    const each = roundsOf(claim, evidence).map((round) => round.goodputGbps);
    gbpsFigure(claim, Math.min(...each), INTERVALS, least);
    gbpsFigure(claim, Math.max(...each), INTERVALS, most ?? '');
  },
  'wide-spread': (claim, evidence) => {
    const { list = '' } = claim.match(
      /^Rounds differ widely: (?<list>.+) \(fastest above 1\.5× the slowest\)\. Other programs may have used the CPU\. Close them, or measure longer, or in more rounds\.$/,
    );
    const goodputs = (transport: Measured) => evidence.rounds(transport).map((round) => round.goodputGbps);
    const shown = list.split(', ').map((one) => {
      const { who, least, most } = claim.match(
        /^(?<who>\S+) from (?<least>[\d.,]+) to (?<most>[\d.,]+) Gb\/s$/,
        one,
      );
      const transport = named(claim, evidence, who!);
      claim.figure(Math.min(...goodputs(transport)), INTERVALS, least);
      claim.figure(Math.max(...goodputs(transport)), INTERVALS, most);
      return transport;
    });
    const wide = MEASURED.filter((each) => Math.max(...goodputs(each)) > 1.5 * Math.min(...goodputs(each)));
    claim.equal(wide.join(), INTERVALS, shown.join());
  },
  messages: (claim, evidence) =>
    claim.figure(
      medianOf(roundsOf(claim, evidence), (round) => round.messagesPerSecond / 1000),
      INTERVALS,
    ),
  'cpu-app': part('app'),
  'cpu-nic': nicWork,
  'cpu-kernel': part('kernel'),
  'cpu-sum': part('sum'),
  'cpu-sum-spread': (claim, evidence) =>
    spread(
      claim,
      costsOf(roundsOf(claim, evidence)).map((cpu) => cpu.sum),
    ),
  samples: (claim, evidence) => {
    const { sorted, road } = evidence.latencies(transportOf(claim));
    claim.count(sorted.length, road);
  },
  p50: share('p50'),
  p99: share('p99'),
  p999: share('p999'),
  max: (claim, evidence) => {
    const { sorted, road, slot } = evidence.latencies(transportOf(claim));
    const ns = sorted.at(-1)!;
    claim.figure(ns / 1000, road, claim.text, slotOf(ns, slot) / 1000);
  },
  'rounds-table': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal(
      'Round,Goodput, Gb/s,CPU of the client, s/GB,CPU of the server, s/GB,Sum, s/GB,Median latency, µs',
      'what the audit knows of it',
      head!.join(),
    );
    for (const [name = '', ...cells] of rows) {
      const { title, round } = claim.match(/^(?<title>.+) (?<round>\d+)$/, name);
      const about = claim.about({ row: name });
      const one = evidence.rounds(named(claim, evidence, title!))[Number(round) - 1]!;
      const perByte = (ns: number) => (one.bytes > 0 ? ns / one.bytes : null);
      const spent = (loop: Loop) =>
        perByte(sum((['appNs', 'nicNs', 'kernelNs'] as const).map((field) => ofMeasured(loop, field))));
      gbpsFigure(about, one.goodputGbps, INTERVALS, cells[0]);
      about.figure(spent(one.client), INTERVALS, cells[1]);
      about.figure(spent(one.server), INTERVALS, cells[2]);
      about.figure(perByte(one.cpu.sum * one.bytes), INTERVALS, cells[3]);
      const latencies = latenciesIn(evidence.data, one);
      const ns = percentile(latencies, 'p50');
      about.figure(
        ns === null ? null : ns / 1000,
        latencies.road,
        cells[4],
        ns === null ? 0 : slotOf(ns, latencies.slot) / 1000,
      );
    }
  },
  'cost-table': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal('Transport,Application,NIC work,Kernel,Sum', 'what the audit knows of it', head!.join());
    for (const [name = '', ...cells] of rows) {
      const cpu = medianCost(evidence.rounds(named(claim, evidence, name)));
      (['app', 'nic', 'kernel', 'sum'] as const).forEach((each, i) =>
        each === 'nic' && name === 'TCP'
          ? claim.equal('none', 'TCP has no device', cells[i])
          : claim.figure(cpu[each], `${name}: ${INTERVALS}`, cells[i]),
      );
    }
  },
};
