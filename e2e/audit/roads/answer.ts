// The answer at the top of a measuring run, sentence by sentence.
import type { Claim } from '../claim.js';
import { type Evidence } from '../evidence.js';
import { middle } from '../figures.js';
import {
  cost,
  goodput,
  INTERVALS,
  oneRound,
  over,
  overlapping,
  shape,
  type Parts,
  type Sentence,
  versusTcp,
} from './sentences.js';

/** Of RDMA alone: TCP has no interval. */
function alone(claim: Claim, evidence: Evidence, parts: Parts): void {
  claim.equal(0, 'the rounds of TCP in the stream', String(evidence.rounds('tcp').length));
  const own = evidence.rounds(over(claim, evidence, parts.who)).map(goodput);
  claim.figure(middle(own), INTERVALS, parts.r);
  claim.count(own.length, 'the rounds in the stream', parts.n ?? '1');
  claim.figure(Math.min(...own), INTERVALS, parts.min ?? parts.r);
  claim.figure(Math.max(...own), INTERVALS, parts.max ?? parts.r);
}

export const ANSWERS: readonly Sentence[] = [
  { shape: shape('{who} moved {r} Gb/s in one round.'), holds: alone },
  { shape: shape('{who} moved {r} Gb/s ({min} to {max}), the median of {n} rounds.'), holds: alone },
  {
    shape: shape(
      '{who} moved {r} Gb/s and TCP {t} Gb/s: {again} was {x}× as fast as TCP in this one sample.',
    ),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      versusTcp(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape(
      '{who} moved {r} Gb/s and TCP {t} Gb/s (medians of {n} rounds): {again} was {x}× as fast as TCP.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, goodput), goodput, false),
  },
  {
    shape: shape(
      'No clear difference in goodput: over {n} rounds {who} ranged from {rmin} to {rmax} Gb/s and TCP from {tmin} to {tmax}, which overlap.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, goodput), goodput, true),
  },
  { shape: shape('To tell them apart, measure more rounds, or longer.') },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, {r} against {t} s, in this one sample.'),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      versusTcp(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape('{who} took {x}× TCP’s CPU time per GB, {r} against {t} s, both ends together.'),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, false),
  },
  {
    shape: shape(
      'No clear difference in CPU time per GB: {who} ranged from {rmin} to {rmax} s and TCP from {tmin} to {tmax}, which overlap.',
    ),
    holds: (claim, evidence, parts) =>
      overlapping(claim, evidence, versusTcp(claim, evidence, parts, cost), cost, true),
  },
  { shape: shape('The latencies do not compare RDMA with TCP: their clocks stop at different events.') },
];
