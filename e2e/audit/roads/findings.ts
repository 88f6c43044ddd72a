// The answer at the top of a measuring run and the sentences under "What the figures mean", each with the figures in it.
import { availableParallelism } from 'node:os';
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf, medianOf, medianRound, percentile, type Round, type Share } from '../loops.js';
import { carriesData, endsMessage } from '../wire.js';
import { slotOf } from './figures.js';
import { depthOf } from './header.js';
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

function within(
  claim: Claim,
  evidence: Evidence,
  transport: 'rdma' | 'tcp',
  which: Share,
  shown?: string,
): void {
  const latencies = evidence.latencies(transport);
  const ns = percentile(latencies, which);
  if (ns === null) claim.equal('nothing said', latencies.road, shown ?? 'nothing said');
  else claim.quantity(ns, latencies.road, shown, slotOf(ns, latencies.slot));
}

const ofSamples = (claim: Claim, evidence: Evidence, transport: 'rdma' | 'tcp', shown?: string): void => {
  const { sorted, road } = evidence.latencies(transport);
  claim.count(sorted.length, road, shown);
};

const splits = (claim: Claim, { cpu }: Round, parts: Parts): void => {
  for (const name of ['app', 'nic', 'kernel', 'sum'] as const)
    if (parts[name] !== undefined) claim.figure(cpu[name], INTERVALS, parts[name]);
};

const SPEED: readonly Sentence[] = [
  {
    shape: shape(
      'RDMA moved a median of {r} Gb/s of payload ({rmin} to {rmax}) and TCP {t} Gb/s ({tmin} to {tmax}), over {n} rounds.',
    ),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, goodput, ALL);
      rounds(claim, evidence, parts.n);
    },
  },
  {
    shape: shape('The ranges do not overlap: RDMA was {x}× as fast as TCP.'),
    holds: (claim, evidence, parts) => {
      overlapping(claim, evidence, goodput, false);
      times(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape('The ranges overlap: there is no clear difference.'),
    holds: (claim, evidence) => overlapping(claim, evidence, goodput, true),
  },
  {
    shape: shape('RDMA moved {r} Gb/s of payload and TCP {t} Gb/s: RDMA was {x}× as fast as TCP.'),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, goodput, JUST_MEDIANS);
      times(claim, evidence, parts, goodput);
    },
  },
  {
    shape: shape('This is one sample of each, so it does not show how much such figures vary.'),
    holds: oneRound,
  },
  { shape: shape('Measure 3 rounds or more before you draw a conclusion.'), holds: oneRound },
];

const CPU: readonly Sentence[] = [
  {
    shape: shape(
      'Both ends together, each gigabyte cost {r} CPU seconds ({rmin} to {rmax}) over RDMA and {t} CPU seconds ({tmin} to {tmax}) over TCP: RDMA took {x}× TCP’s CPU time.',
    ),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, cost, ALL);
      overlapping(claim, evidence, cost, false);
      times(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape(
      'Both ends together, each gigabyte cost {r} CPU seconds ({rmin} to {rmax}) over RDMA and {t} CPU seconds ({tmin} to {tmax}) over TCP: no clear difference.',
    ),
    holds: (claim, evidence, parts) => {
      medians(claim, evidence, parts, cost, ALL);
      overlapping(claim, evidence, cost, true);
    },
  },
  {
    shape: shape(
      'Both ends together, each gigabyte cost {r} CPU seconds over RDMA and {t} CPU seconds over TCP: RDMA took {x}× TCP’s CPU time.',
    ),
    holds: (claim, evidence, parts) => {
      oneRound(claim, evidence);
      medians(claim, evidence, parts, cost, JUST_MEDIANS);
      times(claim, evidence, parts, cost);
    },
  },
  {
    shape: shape(
      'This device is software in the process: the CPU does the NIC’s work, {nic} s/GB building, checking and placing packets, and {kernel} in the kernel carrying them.',
    ),
    holds: (claim, evidence, parts) => splits(claim, medianRound(evidence.rounds('rdma')), parts),
  },
  { shape: shape('A hardware NIC does nearly all of both by itself.') },
  {
    shape: shape(
      'What would be left is the application’s {app} s/GB; TCP’s {sum} s/GB would mostly stay, since its copying is the kernel’s work.',
    ),
    holds: (claim, evidence, parts) => {
      splits(claim, medianRound(evidence.rounds('rdma')), { app: parts.app! });
      splits(claim, medianRound(evidence.rounds('tcp')), { sum: parts.sum! });
    },
  },
  { shape: shape('Look at the application’s share: it is what remains with a hardware NIC.') },
  {
    shape: shape(
      'The client polls, so its core is busy all the time, and what is neither NIC work nor kernel counts as the application’s.',
    ),
    holds: (claim, { data }) => {
      const cq = itemsOf(data, 'verb').find(({ call }) => call === 'ibv_create_cq');
      claim.equal('null', 'the channel of ibv_create_cq', JSON.stringify(cq?.args.channel));
    },
  },
  { shape: shape('Choose events to see what it needs.') },
];

const LATENCY: readonly Sentence[] = [
  {
    shape: shape('Half of the {n} signaled requests completed within {p50}.'),
    holds: (claim, evidence, parts) => {
      ofSamples(claim, evidence, 'rdma', parts.n);
      within(claim, evidence, 'rdma', 'p50', parts.p50);
      within(claim, evidence, 'rdma', 'p999');
    },
  },
  {
    shape: shape(
      'Half of the {n} signaled requests completed within {p50}, and one in a thousand took more than {p999}.',
    ),
    holds: (claim, evidence, parts) => {
      ofSamples(claim, evidence, 'rdma', parts.n);
      within(claim, evidence, 'rdma', 'p50', parts.p50);
      within(claim, evidence, 'rdma', 'p999', parts.p999);
    },
  },
  {
    shape: shape(
      'With up to {depth} requests outstanding, most of that is time in your own queue; it does not measure the network.',
    ),
    holds: (claim, evidence, parts) =>
      claim.count(depthOf(evidence), 'max_send_wr of ibv_create_qp', parts.depth),
  },
  {
    shape: shape(
      'For TCP the clock stops when the peer has acknowledged a message: half of the {n} messages took at most {p50}.',
    ),
    holds: (claim, evidence, parts) => {
      ofSamples(claim, evidence, 'tcp', parts.n);
      within(claim, evidence, 'tcp', 'p50', parts.p50);
    },
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

/** The audit looks at the run's page while it goes on. */
const WATCHED: readonly Sentence[] = [
  {
    shape: shape('A page was open during this run and shared the machine’s {n} CPUs with what was measured.'),
    holds: (claim, evidence, parts) => claim.count(availableParallelism(), 'the machine', parts.n),
  },
  { shape: shape('A page draws less often until the run ends.') },
  { shape: shape('To measure without one, use verbslab run.') },
];

const SENTENCES = [...WATCHED, ...SPEED, ...CPU, ...LATENCY, ...CAPTURE, ...PINNED];

const ANSWERS: readonly Sentence[] = [
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
  {
    shape: shape('CPU seconds per GB: {r} (application {ra}) with RDMA, {t} (application {ta}) with TCP.'),
    holds: (claim, evidence, parts) => {
      for (const [transport, whole, app] of [
        ['rdma', 'r', 'ra'],
        ['tcp', 't', 'ta'],
      ] as const)
        splits(claim, medianRound(evidence.rounds(transport)), { sum: parts[whole]!, app: parts[app]! });
    },
  },
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
  finding: (claim, evidence) => sentenceBySentence(claim, evidence, SENTENCES),
};
