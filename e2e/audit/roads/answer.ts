// The answer at the top of a measuring run, and the verdicts beside TCP at the start of its findings, sentence by
// sentence.
import type { Claim } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle } from '../figures.js';
import { medianOf } from '../loops.js';
import {
  cost,
  goodput,
  INTERVALS,
  mediansOfPair,
  oneRound,
  over,
  overlapping,
  ratio,
  shape,
  tooFew,
  UNCLEAR,
  VERBS,
  versusTcp,
  type Parts,
  type Sentence,
} from './sentences.js';

/** Checks that an answer covers every transport that was measured. */
function speaksOf(claim: Claim, evidence: Evidence, transports: number): void {
  const ran = MEASURED.filter((each) => evidence.rounds(each).length > 0);
  claim.equal(ran.length, 'the transports with rounds in the stream', String(transports));
}

/** Checks an answer on RDMA alone: TCP has no interval. */
function alone(claim: Claim, evidence: Evidence, parts: Parts): void {
  claim.equal(0, 'the rounds of TCP in the stream', String(evidence.rounds('tcp').length));
  const own = evidence.rounds(over(claim, evidence, parts.who)).map(goodput);
  claim.figure(middle(own), INTERVALS, parts.r);
  claim.count(own.length, 'the rounds in the stream', parts.n ?? '1');
  claim.figure(Math.min(...own), INTERVALS, parts.min ?? parts.r);
  claim.figure(Math.max(...own), INTERVALS, parts.max ?? parts.r);
}

/** Checks an answer on TCP and both links: the medians, and the verdict on each link. */
function allThree(claim: Claim, evidence: Evidence, parts: Parts, few: boolean): void {
  speaksOf(claim, evidence, 3);
  claim.figure(medianOf(evidence.rounds('tcp'), goodput), INTERVALS, parts.t);
  const named = [
    { transport: over(claim, evidence, parts.who), median: parts.r, verdict: parts.verdict },
    { transport: over(claim, evidence, parts.other), median: parts.q, verdict: parts.otherVerdict },
  ];
  claim.equal('shm,rdma', 'the order of the links', named.map(({ transport }) => transport).join());
  for (const { transport, median, verdict } of named) {
    const [own, pair] = [evidence.rounds(transport), [transport, 'tcp'] as const];
    claim.figure(medianOf(own, goodput), INTERVALS, median);
    if (few) tooFew(claim, evidence, pair, true);
    else overlapping(claim, evidence, pair, goodput, verdict === UNCLEAR);
    if (verdict !== UNCLEAR)
      claim.figure(ratio(evidence, pair, goodput), `${INTERVALS}, over TCP's`, verdict?.replace('×', ''));
    if (parts.n !== undefined) claim.count(own.length, 'the rounds in the stream', parts.n);
  }
}

/** Pattern of a CPU time with its range, which it has if there are several rounds. */
const costBy = (name: string): string =>
  String.raw`(?<${name}>\d[\d.,]*) s(?: \((?<${name}min>\d[\d.,]*) to (?<${name}max>\d[\d.,]*)\))?`;
const FEW = String.raw`(?<few> in this one sample| in (?<n>\d+) rounds, too few for a verdict)?\.$`;

/** Checks whether a sentence on CPU time is a verdict, or says that there are too few rounds for one. */
function costVerdict(
  claim: Claim,
  evidence: Evidence,
  parts: Parts,
  pair: readonly [Measured, Measured],
): void {
  if (parts.few === undefined) overlapping(claim, evidence, pair, cost, false);
  else tooFew(claim, evidence, pair, true);
  if (parts.few?.includes('one')) oneRound(claim, evidence);
}

/** What bypasses the kernel, and what it is compared with: RDMA over UDP, or TCP where that did not run. */
const bypassed = (evidence: Evidence): readonly [Measured, Measured] => [
  'shm',
  evidence.rounds('rdma').length > 0 ? 'rdma' : 'tcp',
];

const SAVED: readonly Sentence[] = [
  {
    shape: new RegExp(
      `^Bypassing the kernel took ${costBy('r')} of CPU time per GB instead of ${costBy('t')}${FEW}`,
    ),
    holds: (claim, evidence, parts) => {
      mediansOfPair(claim, evidence, parts, cost, bypassed(evidence));
      costVerdict(claim, evidence, parts, bypassed(evidence));
    },
  },
  {
    shape: shape(
      'Bypassing the kernel made no clear difference to the CPU time per GB: {rmin} to {rmax} s and {tmin} to {tmax} s.',
    ),
    holds: (claim, evidence, parts) => {
      mediansOfPair(claim, evidence, parts, cost, bypassed(evidence));
      overlapping(claim, evidence, bypassed(evidence), cost, true);
    },
  },
  {
    shape: new RegExp(
      `^One GB took ${costBy('r')} of CPU time over (?<who>${VERBS}) and ${costBy('t')} over TCP${FEW}`,
    ),
    holds: (claim, evidence, parts) =>
      costVerdict(claim, evidence, parts, versusTcp(claim, evidence, parts, cost)),
  },
  {
    shape: shape(
      'No clear difference in CPU time per GB: {rmin} to {rmax} s over {who} and {tmin} to {tmax} s over TCP.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, true),
  },
];

/** The answer of the minimal flow. */
const OF_FLOW: readonly Sentence[] = [
  {
    shape: /^The WRITE put (?<b>[\d,]+) bytes? into the server’s memory\.$/,
    holds: (claim, { data }, parts) =>
      claim.count(Number(data.run.parameters.size), 'the parameters of the run', parts.b),
  },
  {
    shape:
      /^Meanwhile the server’s program made (?<calls>\d+) calls?, and it found (?<found>\d+) completions? afterward\.$/,
    holds: (claim, { data }, parts) => {
      const verbs = itemsOf(data, 'verb');
      const posted = verbs.find(({ call }) => call === 'ibv_post_send')!;
      const [polled] = itemsOf(data, 'completion').filter(({ endpoint }) => endpoint === posted.endpoint);
      const during = verbs.filter(
        ({ endpoint, t }) => endpoint === 'server' && t > posted.t && t < polled!.t,
      );
      claim.count(during.length, 'the calls in the stream', parts.calls);
      const found = itemsOf(data, 'completion').filter(({ endpoint }) => endpoint === 'server');
      claim.count(found.length, 'the completions in the stream', parts.found);
    },
  },
];

/** Sentence on one RDMA transport and TCP with overlapping ranges. */
const unclearOfTwo: NonNullable<Sentence['holds']> = (claim, evidence, parts) => {
  speaksOf(claim, evidence, 2);
  overlapping(claim, evidence, versusTcp(claim, evidence, parts, goodput), goodput, true);
};

export const ANSWERS: readonly Sentence[] = [
  {
    shape: /^(?<n>\d+) checks? failed: .+$/,
    holds: (claim, { data }, parts) =>
      claim.count(itemsOf(data, 'check').filter(({ ok }) => !ok).length, 'the checks of the run', parts.n),
  },
  ...SAVED,
  ...OF_FLOW,
  { shape: shape('{who} moved {r} Gb/s in one round.'), holds: alone },
  { shape: shape('{who} moved {r} Gb/s ({min} to {max}), the median of {n} rounds.'), holds: alone },
  {
    shape: shape('{who} moved {r} Gb/s and TCP {t} Gb/s: {again} was {x}× as fast in this one sample.'),
    holds: (claim, evidence, parts) => {
      speaksOf(claim, evidence, 2);
      oneRound(claim, evidence);
      versusTcp(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape('{who} moved {r} Gb/s and TCP {t} Gb/s: {again} was {x}× as fast (medians of {n} rounds).'),
    holds: (claim, evidence, parts) => {
      speaksOf(claim, evidence, 2);
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, goodput), goodput, false);
    },
  },
  {
    shape: shape(
      'No clear difference in goodput: over {n} rounds {who} ranged from {rmin} to {rmax} Gb/s and TCP from {tmin} to {tmax} Gb/s.',
    ),
    holds: unclearOfTwo,
  },
  {
    shape: shape(
      'TCP moved {t} Gb/s, {who} {r} Gb/s ({verdict}) and {other} {q} Gb/s ({otherVerdict}) in this one sample.',
    ),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      // A single sample has no ranges, so none overlap.
      claim.holds(![parts.verdict, parts.otherVerdict].includes(UNCLEAR), 'the number of rounds', 'a ratio');
      allThree(claim, evidence, parts, true);
    },
  },
  {
    shape: shape(
      'TCP moved {t} Gb/s, {who} {r} Gb/s ({verdict}) and {other} {q} Gb/s ({otherVerdict}) in {n} rounds, too few for a verdict.',
    ),
    holds: (claim, evidence, parts) => {
      claim.holds(![parts.verdict, parts.otherVerdict].includes(UNCLEAR), 'the number of rounds', 'a ratio');
      allThree(claim, evidence, parts, true);
    },
  },
  {
    shape: shape(
      '{who} moved {r} Gb/s and TCP {t} Gb/s: {again} was {x}× as fast in {n} rounds, too few for a verdict.',
    ),
    holds: (claim, evidence, parts) => {
      speaksOf(claim, evidence, 2);
      tooFew(claim, evidence, versusTcp(claim, evidence, parts, goodput), true);
    },
  },
  {
    shape: shape(
      'TCP moved {t} Gb/s, {who} {r} Gb/s ({verdict}) and {other} {q} Gb/s ({otherVerdict}), medians of {n} rounds.',
    ),
    holds: (claim, evidence, parts) => allThree(claim, evidence, parts, false),
  },
];

export const VERDICTS: readonly Sentence[] = [
  {
    shape: shape('The goodput ranges of {who} and TCP overlap.'),
    holds: unclearOfTwo,
  },
  {
    shape: shape(
      'Over {n} rounds {who} ranged from {rmin} to {rmax} Gb/s and TCP from {tmin} to {tmax} Gb/s, which overlap.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, goodput), goodput, true),
  },
  { shape: shape('To tell them apart, measure more rounds, or longer.') },
  // The headline has stated the costs of a single transport over RDMA.
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, in this one sample.'),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      versusTcp(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, in {n} rounds, too few for a verdict.'),
    holds: (claim, evidence, parts) => tooFew(claim, evidence, versusTcp(claim, evidence, parts, cost), true),
  },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, both ends together.'),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, false),
  },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, {r} against {t} s, in this one sample.'),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      versusTcp(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape(
      '{who} took {x}× TCP’s CPU time per GB, {r} against {t} s, in {n} rounds, too few for a verdict.',
    ),
    holds: (claim, evidence, parts) => tooFew(claim, evidence, versusTcp(claim, evidence, parts, cost), true),
  },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, {r} against {t} s, both ends together.'),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, false),
  },
  {
    shape: shape(
      'No clear difference in CPU time per GB: {who} ranged from {rmin} to {rmax} s and TCP from {tmin} to {tmax} s, which overlap.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, true),
  },
  {
    shape: shape('The latencies do not compare RDMA with TCP: their clocks stop at different events.'),
    holds: (claim, evidence) =>
      claim.holds(
        evidence.verbsRounds.length > 0 && evidence.latencies('tcp').sorted.length > 0,
        'the latencies in the stream',
        'not of both',
      ),
  },
];
