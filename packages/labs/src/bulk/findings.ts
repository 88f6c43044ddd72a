/** What the figures mean, in words that follow from them and from what does the NIC's work. Pure functions. */
import {
  cpuPerGBTotal,
  overlap,
  SOCKET_BUFFER_CURE,
  type CpuPerGB,
  type ProviderClass,
  type Spread,
  type TransportResult,
} from '@verbslab/protocol';
import { formatCount, formatNumber, plural } from '../format.js';
import { BULK_NAMES } from './plan.js';

export interface Findings {
  providerClass: ProviderClass;
  rdma?: TransportResult | undefined;
  /** RDMA through shared memory, around the kernel. */
  shm?: TransportResult | undefined;
  tcp?: TransportResult | undefined;
  /** Both ran at the same time. */
  together: boolean;
  polling: boolean;
  depth: number;
  operation: 'write' | 'read' | 'send';
  /** CPU cores that RDMA's client (over UDP, where both links ran) kept busy while it was measured; null where nothing was. */
  clientCores: number | null;
}

/** How `outside` was measured, and what is in it. */
export const OUTSIDE_TEXT =
  'How the CPU was measured: application and kernel are the user and system time of the threads that move the data (getrusage). The kernel outside of processes is the system, ' +
  'interrupt and soft-interrupt time of the whole machine (/proc/stat) less the system time of every process (/proc/PID/stat), once for each machine. It is counted in ticks of ' +
  'usually 10 ms and includes everything else that the machine’s kernel did in that time. Most kernels charge a soft interrupt to the process that it interrupts: ' +
  'if it interrupts a measuring thread, it is part of that thread’s kernel time; if it interrupts another process, it is in neither figure.';

/** Why packets were lost at the end `role`, when its counters know; else null. `grown`: its counters over the run. */
export function overrunText(role: string, grown: Readonly<Record<string, number>>): string | null {
  const lost = grown.udp_receive_overruns ?? 0;
  if (lost === 0) return null;
  return (
    `${plural(lost, 'datagram')} found the receive buffer at the ${role} full and ${lost === 1 ? 'was' : 'were'} lost: the sender had more in flight than the buffer holds. ` +
    `The kernel’s rxe sends 128 packets ahead and does not adapt. A larger buffer helps: ${SOCKET_BUFFER_CURE}`
  );
}

const gbps = (value: number): string => `${formatNumber(value)} Gb/s`;

const times = (ratio: number): string => `${formatNumber(ratio)}×`;
const roundsOf = ({ rounds }: TransportResult): number => rounds?.length ?? 1;

/** ` (13.1 to 20.5)` where there are several rounds. */
function range(result: TransportResult, spread: Spread | null | undefined): string {
  return roundsOf(result) > 1 && spread
    ? ` (${formatNumber(spread.min)} to ${formatNumber(spread.max)})`
    : '';
}

const between = ({ min, max }: Spread): string => `${formatNumber(min)} to ${formatNumber(max)}`;

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
function alone({ rdma, shm, tcp }: Findings): { name: string; only: TransportResult } | null {
  if (rdma) return { name: BULK_NAMES.rdma, only: rdma };
  if (shm) return { name: BULK_NAMES.shm, only: shm };
  return tcp ? { name: BULK_NAMES.tcp, only: tcp } : null;
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
  return [
    speedVerdict(rdma, tcp),
    ...aroundVerdict(findings, tcp),
    ...cpuVerdict(rdma, tcp),
    ...latencyVerdict(rdma, tcp),
  ].join(' ');
}

const MORE = 'To tell them apart, measure more rounds, or longer.';

function speedVerdict(rdma: TransportResult, tcp: TransportResult): string {
  const rounds = roundsOf(rdma);
  const moved = `RDMA moved ${gbps(rdma.goodputGbps)} and TCP ${gbps(tcp.goodputGbps)}`;
  const ratio = times(rdma.goodputGbps / tcp.goodputGbps);
  const [own, other] = [rdma.spread?.goodputGbps, tcp.spread?.goodputGbps];
  if (rounds === 1) return `${moved}: RDMA was ${ratio} as fast as TCP in this one sample.`;
  if (!own || !other || differs(own, other))
    return `${moved} (medians of ${rounds} rounds): RDMA was ${ratio} as fast as TCP.`;
  return `No clear difference in goodput: over ${rounds} rounds RDMA ranged from ${between(own)} Gb/s and TCP from ${between(other)}, which overlap. ${MORE}`;
}

/** What bypassing the kernel changes: speed against TCP, and the kernel's share of the CPU time on either link. */
function aroundVerdict({ rdma, shm }: Findings, tcp: TransportResult): string[] {
  if (!shm || shm.goodputGbps === 0) return [];
  const moved = `${BULK_NAMES.shm}, around the kernel, moved ${gbps(shm.goodputGbps)}${range(shm, shm.spread?.goodputGbps)}`;
  const [over, around] = [rdma && kernelShare(rdma), kernelShare(shm)];
  const shares =
    over && around
      ? [`The kernel took ${around} of its CPU time, and ${over} of that of RDMA over UDP.`]
      : [];
  return differs(shm.spread?.goodputGbps, tcp.spread?.goodputGbps)
    ? [`${moved}: ${times(shm.goodputGbps / tcp.goodputGbps)} as fast as TCP.`, ...shares]
    : [`${moved}, no clear difference from TCP.`, ...shares];
}

function kernelShare({ cpuSecondsPerGB: cost }: TransportResult): string | null {
  const total = cost && cpuPerGBTotal(cost);
  return cost && total ? `${formatNumber((cost.kernel / total) * 100)} %` : null;
}

function cpuVerdict(rdma: TransportResult, tcp: TransportResult): string[] {
  if (!rdma.cpuSecondsPerGB || !tcp.cpuSecondsPerGB) return [];
  const [cost, otherCost] = [cpuPerGBTotal(rdma.cpuSecondsPerGB), cpuPerGBTotal(tcp.cpuSecondsPerGB)];
  const took = `RDMA took ${times(cost / otherCost)} TCP’s CPU time per GB, ${formatNumber(cost)} against ${formatNumber(otherCost)} s`;
  const [own, other] = [rdma.spread?.cpuSecondsPerGB, tcp.spread?.cpuSecondsPerGB];
  if (roundsOf(rdma) === 1) return [`${took}, in this one sample.`];
  if (!own || !other || differs(own, other)) return [`${took}, both ends together.`];
  return [
    `No clear difference in CPU time per GB: RDMA ranged from ${between(own)} s and TCP from ${between(other)}, which overlap.`,
  ];
}

function latencyVerdict(rdma: TransportResult, tcp: TransportResult): string[] {
  return rdma.latencyUs && tcp.latencyUs
    ? ['The latencies do not compare RDMA with TCP: their clocks stop at different events.']
    : [];
}

/** What limits a comparison of the two. */
function speed(findings: Findings): string[] {
  const pair = both(findings);
  if (!pair) return [];
  return [
    ...(roundsOf(pair.rdma) > 1 ? [] : [ONE_SAMPLE]),
    ...(findings.together
      ? ['They ran at once and shared the CPU, so neither figure is what it would be alone.']
      : []),
  ];
}

function processor({ providerClass, rdma, shm, polling, clientCores }: Findings): string[] {
  const own = (rdma ?? shm)?.cpuSecondsPerGB;
  if (!own) return [];
  const spin =
    polling && clientCores !== null
      ? [
          `The client polls, so it uses all the CPU time that it gets: ${formatNumber(clientCores)} cores while it was measured. What is neither NIC work nor kernel counts as the application’s, so the ` +
            'polling is in the application’s share. Choose events to see what the application needs without it.',
        ]
      : [];
  return [...byClass(providerClass, own), ...spin];
}

function byClass(providerClass: ProviderClass, own: CpuPerGB): string[] {
  switch (providerClass) {
    case 'user-space': {
      const share = ((own.nic ?? 0) + own.kernel) / cpuPerGBTotal(own);
      return [
        `This device is software in the process: NIC work and the kernel, which carries its packets, are ${formatNumber(share * 100)} % of RDMA’s CPU time. ` +
          'A hardware NIC is expected to do nearly all of that by itself; this run does not measure it.',
      ];
    }
    case 'kernel':
      return [
        `This device is a driver in the kernel, which does the NIC’s work: in the calls of the endpoints, ${outsideText(own)} ` +
          'It says nothing about RDMA with a hardware NIC.',
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
    ? 'and in soft interrupts and kernel threads, which no process is charged for. The latter is missing here, since both transports ran at once.'
    : 'and outside of every process, in soft interrupts and kernel threads.';
}

const TCP_CLOCK = {
  out: 'TCP’s clock runs from the first write of a message until the peer’s TCP has acknowledged its last byte.',
  in: 'TCP’s client only receives, and times nothing.',
} as const;

/** Between which events the clocks run. Goodput counts a message at the later one. */
function clocks({ rdma, shm, tcp, depth, operation }: Findings): string[] {
  const paragraphs: string[] = [];
  const own =
    (rdma ?? shm) && 'RDMA’s clock runs from the post of a signaled request until its completion is polled.';
  const other = tcp && (operation === 'read' ? TCP_CLOCK.in : TCP_CLOCK.out);
  if (own || other)
    paragraphs.push(
      [
        'Goodput and latency are taken at the client, which counts a message once its clock has stopped.',
        own,
        other,
      ]
        .filter((sentence) => sentence)
        .join(' '),
    );
  if (own)
    paragraphs.push(
      depth > 1
        ? `With up to ${formatCount(depth)} requests outstanding, most of a request’s latency is time in your own queue; it does not measure the network.`
        : 'With one request outstanding at a time, its latency is the round trip.',
    );
  return paragraphs;
}

/** Short paragraphs: what limits the comparison, then CPU, then the clocks. */
export function bulkFindings(findings: Findings): string[] {
  if (!findings.rdma && !findings.shm && !findings.tcp) return [];
  return [...speed(findings), ...processor(findings), ...clocks(findings)];
}
