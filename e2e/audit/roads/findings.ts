// The answer at the top of a measuring run and the sentences under "What the figures mean", each with the figures in it.
import { availableParallelism } from 'node:os';
import type { SeriesRecord } from '@verbslab/protocol';
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle, sum } from '../figures.js';
import { loopsOf, medianOf, medianRound, ofMeasured, type Round } from '../loops.js';
import { carriesData, endsMessage } from '../wire.js';
import { depthOf } from './parameters.js';
import { once } from './on-the-wire.js';

type Parts = Record<string, string>;
interface Sentence {
  shape: RegExp;
  /** Nothing for a sentence without a figure whose place says that it holds; its shape is then all that is compared. */
  holds?: (claim: Claim, evidence: Evidence, parts: Parts) => void;
}

const INTERVALS = 'the intervals of all rounds that count';
const goodput = (round: Round): number => round.goodputGbps;
const cost = (round: Round): number => round.cpu.sum;

/** `{r}` stands for a figure by the name r. */
const shape = (text: string): RegExp =>
  new RegExp(
    `^${text.replace(/[.()?]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>\\d[\\d.,]*(?: (?:ns|µs|ms|s|B|KiB|MiB))?)')}$`,
  );

function overlap(evidence: Evidence, of: (round: Round) => number): boolean {
  const [a, b] = (['rdma', 'tcp'] as const).map((transport) => evidence.rounds(transport).map(of));
  return Math.min(...a!) <= Math.max(...b!) && Math.min(...b!) <= Math.max(...a!);
}

function ratio(evidence: Evidence, of: (round: Round) => number): number {
  return medianOf(evidence.rounds('rdma'), of) / medianOf(evidence.rounds('tcp'), of);
}

/** Parts of a sentence that are medians, and the ends of their spread, of a transport. */
function medians(
  claim: Claim,
  evidence: Evidence,
  parts: Parts,
  of: (round: Round) => number,
  names: Readonly<Record<'rdma' | 'tcp', readonly [median: string, least?: string, most?: string]>>,
): void {
  for (const transport of ['rdma', 'tcp'] as const) {
    const rounds = evidence.rounds(transport);
    const [median, least, most] = names[transport];
    const values = rounds.map(of);
    if (parts[median] !== undefined) claim.figure(medianOf(rounds, of), INTERVALS, parts[median]);
    if (least) claim.figure(Math.min(...values), INTERVALS, parts[least]);
    if (most) claim.figure(Math.max(...values), INTERVALS, parts[most]);
  }
}

const ALL = { rdma: ['r', 'rmin', 'rmax'], tcp: ['t', 'tmin', 'tmax'] } as const;
const JUST_MEDIANS = { rdma: ['r'], tcp: ['t'] } as const;

function times(claim: Claim, evidence: Evidence, parts: Parts, of: (round: Round) => number): void {
  claim.figure(ratio(evidence, of), `${INTERVALS}, RDMA's over TCP's`, parts.x);
}

function rounds(claim: Claim, evidence: Evidence, shown: string | undefined): void {
  claim.count(evidence.rounds('rdma').length, 'the rounds in the stream', shown);
}

const oneRound = (claim: Claim, evidence: Evidence): void =>
  claim.holds(evidence.rounds('rdma').length === 1, 'the rounds in the stream', 'more than one');

function overlapping(
  claim: Claim,
  evidence: Evidence,
  of: (round: Round) => number,
  expected: boolean,
): void {
  claim.equal(String(overlap(evidence, of)), 'whether the ranges over the rounds overlap', String(expected));
}

const SPEED: readonly Sentence[] = [
  {
    shape: shape('This is one sample of each, so it does not show how much such figures vary.'),
    holds: oneRound,
  },
  { shape: shape('Measure 3 rounds or more before you draw a conclusion.'), holds: oneRound },
  {
    shape: shape('They ran at once and shared the CPU, so neither figure is what it would be alone.'),
    holds: (claim, evidence) =>
      claim.holds(evidence.together, 'the times of the intervals', 'one after the other'),
  },
];

const CPU: readonly Sentence[] = [
  {
    shape: shape(
      'This device is software in the process: NIC work and the kernel, which carries its packets, are {share} % of RDMA’s CPU time.',
    ),
    holds: (claim, evidence, parts) => {
      const { nic, kernel, sum: all } = medianRound(evidence.rounds('rdma')).cpu;
      claim.figure(((nic + kernel) / all) * 100, INTERVALS, parts.share);
    },
  },
  {
    shape: shape(
      'A hardware NIC is expected to do nearly all of that by itself; this run does not measure it.',
    ),
  },
  {
    shape: shape(
      'The client polls, so it uses all the CPU time that it gets: {cores} cores while it was measured.',
    ),
    holds: (claim, evidence, parts) => {
      const clients = evidence.rounds('rdma').map(({ client }) => client);
      const of = (...fields: (keyof SeriesRecord)[]) =>
        sum(clients.flatMap((client) => fields.map((field) => ofMeasured(client, field))));
      claim.figure(of('appNs', 'nicNs', 'kernelNs') / of('intervalNs'), INTERVALS, parts.cores);
      const cq = itemsOf(evidence.data, 'verb').find(({ call }) => call === 'ibv_create_cq');
      claim.equal('null', 'the channel of ibv_create_cq', JSON.stringify(cq?.args.channel));
    },
  },
  {
    shape: shape(
      'What is neither NIC work nor kernel counts as the application’s, so the polling is in the application’s share.',
    ),
  },
  { shape: shape('Choose events to see what the application needs without it.') },
];

const CLOCKS: readonly Sentence[] = [
  {
    shape: shape(
      'Goodput and latency are taken at the client, which counts a message once its clock has stopped.',
    ),
    holds: (claim, evidence) => {
      // At the same end: of every latency that was taken, one message was counted, or one in so many.
      const tcp = sum(evidence.rounds('tcp').map((round) => round.messages));
      claim.equal(tcp, 'the messages of the intervals', String(evidence.latencies('tcp').sorted.length));
    },
  },
  {
    shape: shape('RDMA’s clock runs from the post of a signaled request until its completion is polled.'),
  },
  {
    shape: shape(
      'TCP’s clock runs from the first write of a message until the peer’s TCP has acknowledged its last byte.',
    ),
  },
  {
    shape: shape(
      'With up to {depth} requests outstanding, most of a request’s latency is time in your own queue; it does not measure the network.',
    ),
    holds: (claim, evidence, parts) =>
      claim.count(depthOf(evidence), 'max_send_wr of ibv_create_qp', parts.depth),
  },
];

const CAPTURE: readonly Sentence[] = [
  {
    shape: shape(
      'The packets belong to {n} messages of {size}, sent after the measured time because capturing costs throughput.',
    ),
    holds: (claim, { data, packets }, parts) => {
      const carried = once(packets.filter(carriesData));
      const messages = carried.filter(endsMessage).length;
      claim.count(messages, 'the Last and Only packets that tshark reads', parts.n);
      const payload = sum(carried.map((packet) => packet.payload));
      claim.quantity(payload / messages, 'the payload that tshark reads', parts.size);
      const ends = loopsOf(data).flatMap(({ intervals }) => intervals.map(({ t }) => t));
      const first = Number(packets[0]!.timeNs - BigInt(data.run.createdAt) * 1_000_000n);
      claim.holds(first > Math.max(...ends), 'the time of the first packet', `${first} ns`);
    },
  },
  {
    shape: shape('All {n} packets were captured.'),
    holds: (claim, { data, packets }, parts) => {
      claim.count(packets.length, 'tshark', parts.n);
      const lost = sum(itemsOf(data, 'packets').map(({ dropped }) => dropped));
      claim.equal(lost, 'what the tap says it lost', '0');
    },
  },
];

/** An ordinary user may lock little memory; the page then says how much is not locked. */
const PINNED: readonly Sentence[] = [
  {
    shape: shape('{size} of registered memory are not pinned, since this user may lock {limit} only.'),
    holds: (claim, { data }, parts) => {
      const region = itemsOf(data, 'verb').find(({ call }) => call === 'ibv_reg_mr')!;
      claim.quantity(Number(region.args.length), 'the call of ibv_reg_mr, nothing of it locked', parts.size);
    },
  },
  { shape: shape('The lab runs all the same; a kernel device would refuse.') },
  { shape: /^Raise the limit with ulimit -l to pin everything\.$/ },
];

/** The audit looks at the run's page during the run. */
const CAVEATS: readonly Sentence[] = [
  {
    shape: shape('Both ends on this machine.'),
    holds: (claim, { data }) => {
      const hosts = itemsOf(data, 'endpoint').map(({ host = 'local' }) => host);
      claim.equal('local,local', 'the hosts of the endpoints', hosts.join());
    },
  },
  {
    shape: shape('User-space software: a library in the process does the NIC’s work on the CPU.'),
    holds: (claim, { data }) =>
      claim.equal(
        'user-space',
        'the endpoints',
        [...new Set(itemsOf(data, 'endpoint').map(({ providerClass }) => providerClass))].join(),
      ),
  },
  {
    shape: shape('The page uses the same {n} CPUs, so it draws less often while a run measures.'),
    holds: (claim, evidence, parts) => claim.count(availableParallelism(), 'the machine', parts.n),
  },
  { shape: shape('Measured with a page open.') },
  { shape: shape('To measure without a page, close it and use verbslab run.') },
];

const SENTENCES = [...SPEED, ...CPU, ...CLOCKS, ...CAPTURE, ...PINNED];

/** Of RDMA alone: TCP has no interval. */
function alone(claim: Claim, evidence: Evidence, parts: Parts): void {
  claim.equal(0, 'the rounds of TCP in the stream', String(evidence.rounds('tcp').length));
  const own = evidence.rounds('rdma').map(goodput);
  claim.figure(middle(own), INTERVALS, parts.r);
  claim.count(own.length, 'the rounds in the stream', parts.n ?? '1');
  claim.figure(Math.min(...own), INTERVALS, parts.min ?? parts.r);
  claim.figure(Math.max(...own), INTERVALS, parts.max ?? parts.r);
}

const ANSWERS: readonly Sentence[] = [
  { shape: shape('RDMA moved {r} Gb/s in one round.'), holds: alone },
  { shape: shape('RDMA moved {r} Gb/s ({min} to {max}), the median of {n} rounds.'), holds: alone },
  {
    shape: shape('RDMA moved {r} Gb/s and TCP {t} Gb/s: RDMA was {x}× as fast as TCP in this one sample.'),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      medians(claim, evidence, parts, goodput, JUST_MEDIANS);
      times(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape(
      'RDMA moved {r} Gb/s and TCP {t} Gb/s (medians of {n} rounds): RDMA was {x}× as fast as TCP.',
    ),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, goodput, JUST_MEDIANS);
      rounds(claim, evidence, parts.n);
      overlapping(claim, evidence, goodput, false);
      times(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape(
      'No clear difference in goodput: over {n} rounds RDMA ranged from {rmin} to {rmax} Gb/s and TCP from {tmin} to {tmax}, which overlap.',
    ),
    holds: (claim, evidence, parts) => {
      rounds(claim, evidence, parts.n);
      medians(claim, evidence, parts, goodput, ALL);
      overlapping(claim, evidence, goodput, true);
    },
  },
  { shape: shape('To tell them apart, measure more rounds, or longer.') },
  {
    shape: shape('RDMA took {x}× TCP’s CPU time per GB, {r} against {t} s, in this one sample.'),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      medians(claim, evidence, parts, cost, JUST_MEDIANS);
      times(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape('RDMA took {x}× TCP’s CPU time per GB, {r} against {t} s, both ends together.'),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, cost, JUST_MEDIANS);
      overlapping(claim, evidence, cost, false);
      times(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape(
      'No clear difference in CPU time per GB: RDMA ranged from {rmin} to {rmax} s and TCP from {tmin} to {tmax}, which overlap.',
    ),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, cost, ALL);
      overlapping(claim, evidence, cost, true);
    },
  },
  { shape: shape('The latencies do not compare RDMA with TCP: their clocks stop at different events.') },
];

function sentenceBySentence(claim: Claim, evidence: Evidence, known: readonly Sentence[]): void {
  for (const text of claim.text.split(/(?<=\.) /)) {
    const found = known.flatMap(({ shape: pattern, holds }) => {
      const match = pattern.exec(text);
      return match ? [{ parts: { ...match.groups }, holds }] : [];
    });
    if (found.length !== 1) claim.fail('the sentences that the audit knows', `${found.length} of them`, text);
    found[0]!.holds?.(claim, evidence, found[0]!.parts);
  }
}

export const FINDINGS: Roads<Evidence> = {
  answer: (claim, evidence) => sentenceBySentence(claim, evidence, ANSWERS),
  caveat: (claim, evidence) => sentenceBySentence(claim, evidence, CAVEATS),
  finding: (claim, evidence) => sentenceBySentence(claim, evidence, SENTENCES),
};
