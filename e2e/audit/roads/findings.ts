// The sentences under "What the figures mean" and the caveats of a measuring run, each with the figures in it.
import { availableParallelism } from 'node:os';
import type { Link, SeriesRecord } from '@verbslab/protocol';
import type { Claim, Roads } from '../claim.js';
import { type Evidence, type Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { COUNTERS_ROAD, linkOf, linksOf } from '../links.js';
import { loopsOf, medianCost, medianOf, ofMeasured, type Round } from '../loops.js';
import { carriesData, endsMessage } from '../wire.js';
import { LIVELOCK_ANSWERS } from './fabric.js';
import { depthOf } from './parameters.js';
import { once } from './on-the-wire.js';
import {
  goodput,
  INTERVALS,
  kernelShare,
  oneRound,
  over,
  overlapping,
  ratio,
  sentenceBySentence,
  shape,
  tooFew,
  type Parts,
  type Sentence,
} from './sentences.js';
import { ANSWERS, VERDICTS } from './answer.js';

const ANSWERS_OF: Readonly<Record<string, readonly Sentence[]>> = { 'go-back-0-livelock': LIVELOCK_ANSWERS };

const SPEED: readonly Sentence[] = [
  {
    shape: shape('This is one sample of each, so it does not show how much such figures vary.'),
    holds: oneRound,
  },
  { shape: shape('Measure 5 rounds or more before you draw a conclusion.'), holds: oneRound },
  {
    shape: shape('They ran at the same time and shared the CPU, so each figure would be different alone.'),
    holds: (claim, evidence) =>
      claim.holds(evidence.together, 'the times of the intervals', 'one after the other'),
  },
];

const LINKS = ['shm', 'rdma'] as const;

/** Checks figures of both links: `a` of shared memory and `b` of UDP. */
function ofLinks(claim: Claim, evidence: Evidence, parts: Parts, of: (rounds: Round[]) => number): void {
  claim.figure(of(evidence.rounds('shm')), `${INTERVALS} over shared memory`, parts.a);
  claim.figure(of(evidence.rounds('rdma')), `${INTERVALS} over UDP`, parts.b);
}

const BYPASSED = 'Bypassing the kernel: {who} moved {x}× what {other} did, {a} Gb/s against {b} Gb/s';

function bypassed(claim: Claim, evidence: Evidence, parts: Parts, few: boolean): void {
  claim.equal(
    'shm,rdma',
    'what was bypassed',
    [parts.who, parts.other].map((name) => over(claim, evidence, name)).join(),
  );
  ofLinks(claim, evidence, parts, (rounds) => medianOf(rounds, goodput));
  claim.figure(ratio(evidence, LINKS, goodput), `${INTERVALS}, shared memory's over UDP's`, parts.x);
  if (!few) return overlapping(claim, evidence, LINKS, goodput, false);
  tooFew(claim, evidence, LINKS, true);
  claim.count(evidence.rounds('shm').length, 'the rounds in the stream', parts.n ?? '1');
}

const BYPASS: readonly Sentence[] = [
  {
    shape: shape(`${BYPASSED}.`),
    holds: (claim, evidence, parts) => bypassed(claim, evidence, parts, false),
  },
  ...[`${BYPASSED} in this one sample.`, `${BYPASSED} in {n} rounds, too few for a verdict.`].map((text) => ({
    shape: shape(text),
    holds: (claim: Claim, evidence: Evidence, parts: Parts) => bypassed(claim, evidence, parts, true),
  })),
  {
    shape: shape(
      'Bypassing the kernel: no clear difference in goodput, {a} Gb/s against {b} Gb/s, since the ranges over the rounds overlap.',
    ),
    holds: (claim, evidence, parts) => {
      ofLinks(claim, evidence, parts, (rounds) => medianOf(rounds, goodput));
      overlapping(claim, evidence, LINKS, goodput, true);
    },
  },
  {
    shape: shape('The kernel took {a} % of both ends’ CPU time instead of {b} %.'),
    holds: (claim, evidence, parts) =>
      ofLinks(claim, evidence, parts, (rounds) => kernelShare(medianCost(rounds))),
  },
  {
    shape: shape('One GB took {a} CPU seconds instead of {b}.'),
    holds: (claim, evidence, parts) => ofLinks(claim, evidence, parts, (rounds) => medianCost(rounds).sum),
  },
];

/** Checks the number of cores that the client of a transport kept busy. */
function cores(claim: Claim, evidence: Evidence, transport: Measured, shown: string | undefined): void {
  const clients = evidence.rounds(transport).map(({ client }) => client);
  const of = (...fields: (keyof SeriesRecord)[]) =>
    sum(clients.flatMap((client) => fields.map((field) => ofMeasured(client, field))));
  claim.figure(of('appNs', 'nicNs', 'kernelNs') / of('intervalNs'), INTERVALS, shown);
}

const CPU: readonly Sentence[] = [
  { shape: shape('This device is software in the process.') },
  {
    shape: shape(
      'The kernel carries the packets of {who}: together with NIC work it takes {share} % of the CPU time.',
    ),
    holds: (claim, evidence, parts) => {
      claim.equal('rdma', 'the link that the kernel carries', over(claim, evidence, parts.who));
      const { nic, kernel, sum: all } = medianCost(evidence.rounds('rdma'));
      claim.figure(((nic + kernel) / all) * 100, INTERVALS, parts.share);
    },
  },
  {
    shape: shape(
      'NIC work is {nic} % of the CPU time of {who}, and the kernel {kernel} %: it carries none of the packets, but schedules and wakes threads and handles page faults.',
    ),
    holds: (claim, evidence, parts) => {
      claim.equal('shm', 'the link around the kernel', over(claim, evidence, parts.who));
      const cpu = medianCost(evidence.rounds('shm'));
      claim.figure((cpu.nic / cpu.sum) * 100, INTERVALS, parts.nic);
      claim.figure(kernelShare(cpu), INTERVALS, parts.kernel);
    },
  },
  {
    shape: shape(
      'A hardware NIC is expected to do nearly all of the NIC work by itself; this run does not measure it.',
    ),
  },
  {
    shape: shape('The client polls: it checks the completion queue in a loop and never sleeps.'),
    holds: (claim, { data }) => {
      const cq = itemsOf(data, 'verb').find(({ call }) => call === 'ibv_create_cq');
      claim.equal('null', 'the channel of ibv_create_cq', JSON.stringify(cq?.args.channel));
    },
  },
  {
    shape: shape('It kept {cores} cores busy while it was measured.'),
    holds: (claim, evidence, parts) => {
      const ran = (['rdma', 'shm'] as const).filter((each) => evidence.rounds(each).length > 0);
      claim.equal(1, 'the links with rounds in the stream', String(ran.length));
      cores(claim, evidence, ran[0]!, parts.cores);
    },
  },
  {
    shape: shape('It kept {a} cores busy in {who} and {b} cores in {other} while it was measured.'),
    holds: (claim, evidence, parts) => {
      cores(claim, evidence, over(claim, evidence, parts.who), parts.a);
      cores(claim, evidence, over(claim, evidence, parts.other), parts.b);
    },
  },
  {
    shape: shape(
      'A polling loop takes all the CPU time that it can get: up to 1 core, and less while other programs use the cores.',
    ),
  },
  {
    shape: shape(
      'Time that is neither NIC work nor kernel counts as the application’s: so does polling, except where it drives a software device, whose time counts as NIC work.',
    ),
  },
  { shape: shape('Choose events to see what the application needs without polling.') },
];

const CLOCKS: readonly Sentence[] = [
  {
    shape: shape(
      'Goodput and latency are taken at the client, which counts a message once its clock has stopped.',
    ),
    holds: (claim, evidence) => {
      // The client takes both, and counts one message per latency.
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
      'With up to {depth} requests outstanding, a request’s latency includes time in your own queue; it does not measure the network.',
    ),
    holds: (claim, evidence, parts) =>
      claim.count(depthOf(evidence), 'max_send_wr of ibv_create_qp', parts.depth),
  },
];

/** Checks the captured messages on the wire: all after the loops, and over a link that was measured. */
const captured =
  (link: Link): NonNullable<Sentence['holds']> =>
  (claim, evidence, parts) => {
    const { data, packets } = evidence;
    claim.equal(String(linkOf(evidence, link === 'udp' ? 'rdma' : 'shm')), COUNTERS_ROAD, link);

    const carried = once(packets.filter(carriesData));
    const messages = carried.filter(endsMessage).length;
    claim.count(messages, 'the Last and Only packets that tshark reads', parts.n);
    const payload = sum(carried.map((packet) => packet.payload));
    claim.quantity(payload / messages, 'the payload that tshark reads', parts.size);
    const ends = loopsOf(data).flatMap(({ intervals }) => intervals.map(({ t }) => t));
    const first = Number(packets[0]!.timeNs - BigInt(data.run.createdAt) * 1_000_000n);
    claim.holds(first > Math.max(...ends), 'the time of the first packet', `${first} ns`);
  };

const CAPTURE: readonly Sentence[] = [
  {
    shape: shape(
      'The packets belong to {n} messages of {size}, sent over UDP after the measured time because capturing costs throughput.',
    ),
    holds: captured('udp'),
  },
  {
    shape: shape(
      'The packets belong to {n} messages of {size}, sent over shared memory after the measured time because capturing costs throughput.',
    ),
    holds: captured('shm'),
  },
  {
    shape: shape('Packets of the other link have the same form and were not captured.'),
    holds: (claim, evidence) => claim.equal('udp,shm', COUNTERS_ROAD, linksOf(evidence).join()),
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

/** Sentences on locked memory: an ordinary user may lock little, and the page gives the part that is not locked. */
const PINNED: readonly Sentence[] = [
  {
    shape: shape('{size} of registered memory are not locked, since this user may lock only {limit}.'),
    holds: (claim, { data }, parts) => {
      const region = itemsOf(data, 'verb').find(({ call }) => call === 'ibv_reg_mr')!;
      claim.quantity(Number(region.args.length), 'the call of ibv_reg_mr, nothing of it locked', parts.size);
    },
  },
  { shape: shape('The lab runs anyway; a kernel device would refuse.') },
  { shape: /^Raise the limit with ulimit -l to lock everything\.$/ },
];

/** Caveats. The audit looks at the run's page during the run. */
const CAVEATS: readonly Sentence[] = [
  {
    shape: shape('Both ends are on one machine.'),
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
    shape: shape('Packets go through UDP sockets: the kernel carries each of them.'),
    holds: (claim, evidence) => claim.equal(linksOf(evidence).join(), COUNTERS_ROAD, 'udp'),
  },
  {
    shape: shape(
      'Packets go through shared memory: the kernel carries none of them, but still schedules and wakes threads and handles page faults.',
    ),
    holds: (claim, evidence) => claim.equal(linksOf(evidence).join(), COUNTERS_ROAD, 'shm'),
  },
  {
    shape: shape(
      'RDMA over UDP (RDMA/UDP) sends its packets through sockets of the kernel; RDMA over shared memory (RDMA/shm) bypasses the kernel.',
    ),
    holds: (claim, evidence) => claim.equal(linksOf(evidence).join(), COUNTERS_ROAD, 'udp,shm'),
  },
  {
    shape: shape('The page uses the same {n} CPUs, so it draws less often while a run measures.'),
    holds: (claim, evidence, parts) => claim.count(availableParallelism(), 'the machine', parts.n),
  },
  { shape: shape('Measured with a page open.') },
  { shape: shape('To measure without a page, close it and use verbslab run.') },
];

const SENTENCES = [...VERDICTS, ...BYPASS, ...SPEED, ...CPU, ...CLOCKS, ...CAPTURE, ...PINNED];

export const FINDINGS: Roads<Evidence> = {
  answer: (claim, evidence) =>
    sentenceBySentence(claim, evidence, ANSWERS_OF[evidence.data.run.lab] ?? ANSWERS),
  caveat: (claim, evidence) => sentenceBySentence(claim, evidence, CAVEATS),
  finding: (claim, evidence) => sentenceBySentence(claim, evidence, SENTENCES),
};
