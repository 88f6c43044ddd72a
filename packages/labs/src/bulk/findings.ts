/** What the figures mean, in words that follow from them and from what does the NIC's work. Pure functions. */
import {
  cpuPerGBTotal,
  overlap,
  SOCKET_BUFFER_CURE,
  type CpuPerGB,
  type LatencyUs,
  type ProviderClass,
  type Spread,
  type TransportResult,
} from '@verbslab/protocol';
import { formatCount, formatNumber, formatTime, plural } from '../format.js';

export interface Findings {
  providerClass: ProviderClass;
  rdma?: TransportResult | undefined;
  tcp?: TransportResult | undefined;
  /** Both ran at the same time. */
  together: boolean;
  polling: boolean;
  depth: number;
}

/** How `outside` was measured, and what is in it. */
export const OUTSIDE_TEXT =
  'How the CPU was measured: application and kernel are the user and system time of the threads that move the data (getrusage). The kernel outside of processes is the system, ' +
  'interrupt and soft-interrupt time of the whole machine (/proc/stat) less the system time of every process (/proc/PID/stat), once for each machine. It is counted in ticks of ' +
  'mostly 10 ms and includes everything else that the machine’s kernel did meanwhile. Most kernels charge a soft interrupt to the process that it interrupts: ' +
  'where that is the measuring thread it is in its kernel time, where it is another process it is in neither.';

/** Why packets were lost at the end `role`, when its counters know; else null. `grown`: its counters over the run. */
export function overrunText(role: string, grown: Readonly<Record<string, number>>): string | null {
  const lost = grown.udp_receive_overruns ?? 0;
  if (lost === 0) return null;
  return (
    `${plural(lost, 'datagram')} found the receive buffer at the ${role} full and ${lost === 1 ? 'was' : 'were'} lost: the sender had more under way than the buffer holds. ` +
    `The kernel’s rxe sends 128 packets ahead and does not adapt. A larger buffer helps: ${SOCKET_BUFFER_CURE}`
  );
}

const gbps = (value: number): string => `${formatNumber(value)} Gb/s`;
const us = (value: number): string => formatTime(value * 1000);
const cost = (value: number): string => `${formatNumber(value)} CPU seconds`;

const times = (ratio: number): string => `${formatNumber(ratio)}×`;
const roundsOf = ({ rounds }: TransportResult): number => rounds?.length ?? 1;

/** ` (13.1 to 20.5)` where there are several rounds. */
function range(result: TransportResult, spread: Spread | null | undefined): string {
  return roundsOf(result) > 1 && spread
    ? ` (${formatNumber(spread.min)} to ${formatNumber(spread.max)})`
    : '';
}

const betweenRounds = ({ spread }: TransportResult): string =>
  `${formatNumber(spread?.goodputGbps.min ?? 0)} to ${formatNumber(spread?.goodputGbps.max ?? 0)}`;

/** `0.818 (application 0.343)`. */
const costOfBoth = (cpu: CpuPerGB): string =>
  `${formatNumber(cpuPerGBTotal(cpu))} (application ${formatNumber(cpu.app)})`;

/** With one round there is no spread to compare, so nothing says that the difference is more than noise. */
function differs(a: Spread | null | undefined, b: Spread | null | undefined): boolean {
  return !a || !b || !overlap(a, b);
}

const ONE_SAMPLE =
  'This is one sample of each, so it does not show how much such figures vary. Measure 3 rounds or more before you draw a conclusion.';

/** Both transports moved data. */
function both({ rdma, tcp }: Findings): { rdma: TransportResult; tcp: TransportResult } | null {
  return rdma && tcp && rdma.goodputGbps > 0 && tcp.goodputGbps > 0 ? { rdma, tcp } : null;
}

/** The one that moved data, or null. */
function alone({ rdma, tcp }: Findings): { name: string; only: TransportResult } | null {
  const only = rdma ?? tcp;
  return only ? { name: rdma ? 'RDMA' : 'TCP', only } : null;
}

/** The answer to the lab's question in one line. */
export function bulkAnswer(findings: Findings): string {
  const pair = both(findings);
  if (!pair) {
    const one = alone(findings);
    if (!one) return 'Nothing was measured.';
    const { name, only } = one;
    const rounds = roundsOf(only);
    return rounds > 1
      ? `${name} moved ${gbps(only.goodputGbps)}${range(only, only.spread?.goodputGbps)}, the median of ${rounds} rounds.`
      : `${name} moved ${gbps(only.goodputGbps)} in one round.`;
  }
  const { rdma, tcp } = pair;
  const rounds = roundsOf(rdma);
  const moved = `RDMA moved ${gbps(rdma.goodputGbps)} and TCP ${gbps(tcp.goodputGbps)}`;
  const ratio = times(rdma.goodputGbps / tcp.goodputGbps);
  const speeds =
    rounds === 1
      ? `${moved}: RDMA was ${ratio} as fast as TCP in this one sample.`
      : differs(rdma.spread?.goodputGbps, tcp.spread?.goodputGbps)
        ? `${moved} (medians of ${rounds} rounds): RDMA was ${ratio} as fast as TCP.`
        : `No clear difference in goodput: over ${rounds} rounds RDMA ranged from ${betweenRounds(rdma)} Gb/s and TCP from ${betweenRounds(tcp)}, which overlap.`;
  const own = rdma.cpuSecondsPerGB;
  const other = tcp.cpuSecondsPerGB;
  if (!own || !other) return speeds;
  return `${speeds} CPU seconds per GB: ${costOfBoth(own)} with RDMA, ${costOfBoth(other)} with TCP.`;
}

function speed(findings: Findings): string[] {
  const pair = both(findings);
  if (!pair) {
    const one = alone(findings);
    if (!one) return [];
    const { name, only } = one;
    const median = roundsOf(only) > 1 ? 'a median of ' : '';
    return [
      `${name} moved ${median}${gbps(only.goodputGbps)} of payload${range(only, only.spread?.goodputGbps)}.`,
    ];
  }
  const { rdma, tcp } = pair;
  const ratio = times(rdma.goodputGbps / tcp.goodputGbps);
  const several = roundsOf(rdma) > 1;
  const sentences = several
    ? [
        `RDMA moved a median of ${gbps(rdma.goodputGbps)} of payload${range(rdma, rdma.spread?.goodputGbps)} and TCP ` +
          `${gbps(tcp.goodputGbps)}${range(tcp, tcp.spread?.goodputGbps)}, over ${roundsOf(rdma)} rounds.`,
        differs(rdma.spread?.goodputGbps, tcp.spread?.goodputGbps)
          ? `The ranges do not overlap: RDMA was ${ratio} as fast as TCP.`
          : 'The ranges overlap: there is no clear difference.',
      ]
    : [
        `RDMA moved ${gbps(rdma.goodputGbps)} of payload and TCP ${gbps(tcp.goodputGbps)}: RDMA was ${ratio} as fast as TCP.`,
        ONE_SAMPLE,
      ];
  if (findings.together)
    sentences.push('They ran at once and shared the CPU, so neither figure is what it would be alone.');
  return sentences;
}

function processor(findings: Findings): string[] {
  const { providerClass, rdma, tcp, polling } = findings;
  const own = rdma?.cpuSecondsPerGB;
  const other = tcp?.cpuSecondsPerGB;
  const sentences: string[] = [];
  const costOf = (result: TransportResult, cpu: CpuPerGB): string =>
    `${cost(cpuPerGBTotal(cpu))}${range(result, result.spread?.cpuSecondsPerGB)}`;
  if (rdma && tcp && own && other) {
    const verdict = differs(rdma.spread?.cpuSecondsPerGB, tcp.spread?.cpuSecondsPerGB)
      ? `RDMA took ${times(cpuPerGBTotal(own) / cpuPerGBTotal(other))} TCP’s CPU time`
      : 'no clear difference';
    sentences.push(
      `Both ends together, each gigabyte cost ${costOf(rdma, own)} over RDMA and ${costOf(tcp, other)} over TCP: ${verdict}.`,
    );
  } else if (rdma && own) sentences.push(`Both ends together, each gigabyte cost ${costOf(rdma, own)}.`);
  else if (tcp && other)
    sentences.push(
      `Both ends together, each gigabyte cost ${costOf(tcp, other)}, nearly all of it in the kernel.`,
    );
  if (!own) return sentences;
  sentences.push(...byClass(providerClass, own, other ?? null));
  if (polling)
    sentences.push(
      'The client polls, so its core is busy all the time, and what is neither NIC work nor kernel counts as the application’s. Choose events to see what it needs.',
    );
  return sentences;
}

function byClass(providerClass: ProviderClass, own: CpuPerGB, other: CpuPerGB | null): string[] {
  const tcpWork =
    other === null
      ? ''
      : `; TCP’s ${formatNumber(cpuPerGBTotal(other))} s/GB would mostly stay, since its copying is the kernel’s work`;
  switch (providerClass) {
    case 'user-space':
      return [
        `This device is software in the process: the CPU does the NIC’s work, ${formatNumber(own.nic ?? 0)} s/GB building, checking and placing packets, and ` +
          `${formatNumber(own.kernel)} in the kernel carrying them.`,
        `A hardware NIC does nearly all of both by itself. What would be left is the application’s ${formatNumber(own.app)} s/GB${tcpWork}. Look at the application’s share: it is what remains with a hardware NIC.`,
      ];
    case 'kernel':
      return [
        `This device is a driver in the kernel, which does the NIC’s work: ${formatNumber(own.kernel)} s/GB in the calls of the endpoints, ${outsideText(own)} ` +
          'It says nothing about RDMA with a hardware NIC.',
        `A hardware NIC would leave the application’s ${formatNumber(own.app)} s/GB${tcpWork}.`,
      ];
    case 'hardware':
      return [
        'The NIC cuts, sends, checks and places the packets. The CPU posts and polls, and that is all you see here.',
      ];
    case 'simulated':
      return ['These figures come from the engine in virtual time; CPU time in it means nothing.'];
    case 'unknown':
      return [];
  }
}

function outsideText({ outside }: CpuPerGB): string {
  return outside === undefined
    ? 'and more in soft interrupts and kernel threads, which no process is charged for. It is missing here, since both transports ran at once.'
    : `and ${formatNumber(outside)} s/GB outside of every process, in soft interrupts and kernel threads.`;
}

function delay({ rdma, tcp, depth }: Findings): string[] {
  const own = rdma?.latencyUs;
  const sentences: string[] = [];
  if (own && own.p50 !== null) {
    const rare = own.p999 === null ? '' : `, and one in a thousand took more than ${us(own.p999)}`;
    sentences.push(
      `Half of the ${counted(own, 'signaled requests')} completed within ${us(own.p50)}${rare}. ` +
        (depth > 1
          ? `With up to ${depth} requests outstanding, most of that is time in your own queue; it does not measure the network.`
          : 'With one request outstanding at a time, this is the round trip.'),
    );
  }
  const other = tcp?.latencyUs;
  if (other && other.p50 !== null)
    sentences.push(
      `For TCP the clock stops when the peer has acknowledged a message: half of the ${counted(other, 'messages')} took at most ${us(other.p50)}.`,
    );
  return sentences;
}

const counted = ({ n }: LatencyUs, what: string): string =>
  n === undefined ? what : `${formatCount(n)} ${what}`;

/** A paragraph, sentence by sentence: speed, then CPU, then latency. */
export function bulkFindings(findings: Findings): string[] {
  return [...speed(findings), ...processor(findings), ...delay(findings)];
}
