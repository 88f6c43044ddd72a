/**
 * Findings: the meaning of the figures in words, which follow from them and from what does the NIC's work. Pure
 * functions.
 */
import {
  cpuPerGBTotal,
  SOCKET_BUFFER_CURE,
  transportLongName,
  type CpuPerGB,
  type ProviderClass,
  type TransportResult,
} from '@verbslab/protocol';
import { formatCount, formatNumber, plural } from '../base/format.js';
import {
  besideTcp,
  between,
  gbps,
  moved,
  overlapping,
  roundsOf,
  times,
  tooFewText,
  type Named,
} from './answer.js';

export interface Findings {
  providerClass: ProviderClass;
  rdma?: TransportResult | undefined;
  /** RDMA over shared memory, around the kernel. */
  shm?: TransportResult | undefined;
  tcp?: TransportResult | undefined;
  /** Both ran at the same time. */
  together: boolean;
  polling: boolean;
  depth: number;
  operation: 'write' | 'read' | 'send';
  /** CPU cores that the client kept busy while each link was measured; null where nothing was. */
  clientCores: { rdma?: number | null | undefined; shm?: number | null | undefined };
}

/** The way `outside` was measured, and its parts. */
export const OUTSIDE_TEXT =
  'How the CPU was measured: application and kernel are the user and system time of the threads that move the data (getrusage). The kernel time outside of processes is the system, ' +
  'interrupt and soft-interrupt time of the whole machine (/proc/stat) minus the system time of every process (/proc/PID/stat), once for each machine. It is counted in ticks of ' +
  'usually 10 ms and includes everything else that the machine’s kernel did in that time. Many kernels charge a soft interrupt to the process that it interrupts: ' +
  'if it interrupts a measuring thread, it is part of that thread’s kernel time; if it interrupts another process, it is in neither figure.';

/**
 * The reason for lost packets at the end `role`, when its counters know; else null. `grown`: its counters over the run.
 */
export function overrunText(role: string, grown: Readonly<Record<string, number>>): string | null {
  const lost = grown.udp_receive_overruns ?? 0;
  if (lost === 0) return null;
  return (
    `${plural(lost, 'datagram')} found the receive buffer at the ${role} full and ${lost === 1 ? 'was' : 'were'} lost: the sender had more in flight than the buffer holds. ` +
    `The kernel’s rxe sends 128 packets ahead and does not adapt. A larger buffer helps: ${SOCKET_BUFFER_CURE}`
  );
}

const ONE_SAMPLE =
  'This is one sample of each, so it does not show how much such figures vary. Measure 5 rounds or more before you draw a conclusion.';

/**
 * Explains how to tell transports apart whose ranges overlap. The headline has the ranges of two transports, not of
 * three.
 */
function noise(findings: Findings): string[] {
  const compared = besideTcp(findings);
  if (!compared) return [];
  const { over, tcp } = compared;
  const sentences = over.flatMap(({ name, result }) => {
    const ranges = overlapping('goodputGbps', result, tcp);
    if (!ranges) return [];
    return over.length === 1
      ? [`The goodput ranges of ${name} and TCP overlap.`]
      : [
          `Over ${roundsOf(result)} rounds ${name} ranged from ${between(ranges[0])} Gb/s and TCP from ${between(ranges[1])} Gb/s, which overlap.`,
        ];
  });
  return sentences.length > 0
    ? [[...sentences, 'To tell them apart, measure more rounds, or longer.'].join(' ')]
    : [];
}

/** Limits of a comparison. */
function speed(findings: Findings): string[] {
  const all = (['rdma', 'shm', 'tcp'] as const).flatMap((each) => moved(findings, each) ?? []);
  const [first, second] = all;
  if (!first || !second) return [];
  return [
    ...(roundsOf(first.result) > 1 ? [] : [ONE_SAMPLE]),
    ...(findings.together
      ? ['They ran at the same time and shared the CPU, so each figure would be different alone.']
      : []),
  ];
}

/** Verdicts on CPU time per GB, each RDMA transport beside TCP. */
function cost(findings: Findings): string[] {
  const compared = besideTcp(findings);
  const sentences =
    compared?.over.flatMap((each) => costVerdict(each, compared.tcp, compared.over.length > 1)) ?? [];
  return sentences.length > 0 ? [sentences.join(' ')] : [];
}

/** `costs`: the headline has not stated them. */
function costVerdict({ name, result }: Named, tcp: TransportResult, costs: boolean): string[] {
  if (!result.cpuSecondsPerGB || !tcp.cpuSecondsPerGB) return [];
  const ranges = overlapping('cpuSecondsPerGB', result, tcp);
  if (ranges)
    return costs
      ? [
          `No clear difference in CPU time per GB: ${name} ranged from ${between(ranges[0])} s and TCP from ${between(ranges[1])} s, which overlap.`,
        ]
      : [];
  const [own, other] = [cpuPerGBTotal(result.cpuSecondsPerGB), cpuPerGBTotal(tcp.cpuSecondsPerGB)];
  const took = `${name} took ${times(own / other)} TCP’s CPU time per GB`;
  const figures = costs ? `, ${formatNumber(own)} against ${formatNumber(other)} s` : '';
  const few = tooFewText('cpuSecondsPerGB', result, tcp);
  return [few === null ? `${took}${figures}, both ends together.` : `${took}${figures},${few}.`];
}

/** The verdict beside TCP states the cost, and not only its range. */
const hasCost = (result: TransportResult, tcp: TransportResult | undefined): boolean =>
  !!tcp?.cpuSecondsPerGB && !overlapping('cpuSecondsPerGB', result, tcp);

function latencies(findings: Findings): string[] {
  const compared = besideTcp(findings);
  return compared?.tcp.latencyUs && compared.over.some(({ result }) => result.latencyUs)
    ? ['The latencies do not compare RDMA with TCP: their clocks stop at different events.']
    : [];
}

const percent = (share: number): string => `${formatNumber(share * 100)} %`;

const kernelShare = (cost: CpuPerGB): string => percent(cost.kernel / cpuPerGBTotal(cost));

/** The effect of bypassing the kernel, if both links were measured. */
function bypass(findings: Findings): string[] {
  const [over, around] = [moved(findings, 'rdma'), moved(findings, 'shm')];
  if (!over || !around) return [];
  const [own, other] = [around.result, over.result];
  const speeds = `${gbps(own.goodputGbps)} against ${gbps(other.goodputGbps)}`;
  const sentences = [
    overlapping('goodputGbps', own, other)
      ? `Bypassing the kernel: no clear difference in goodput, ${speeds}, since the ranges over the rounds overlap.`
      : `Bypassing the kernel: ${around.name} moved ${times(own.goodputGbps / other.goodputGbps)} what ${over.name} did, ${speeds}${tooFewText('goodputGbps', own, other) ?? ''}.`,
  ];
  const [cpu, otherCpu] = [own.cpuSecondsPerGB, other.cpuSecondsPerGB];
  if (cpu && otherCpu) {
    sentences.push(
      `The kernel took ${kernelShare(cpu)} of both ends’ CPU time instead of ${kernelShare(otherCpu)}.`,
    );
    if (![own, other].every((each) => hasCost(each, findings.tcp)))
      sentences.push(
        `One GB took ${formatNumber(cpuPerGBTotal(cpu))} CPU seconds instead of ${formatNumber(cpuPerGBTotal(otherCpu))}.`,
      );
  }
  return [sentences.join(' ')];
}

function processor(findings: Findings): string[] {
  const { rdma, shm, polling, clientCores } = findings;
  const own = (rdma ?? shm)?.cpuSecondsPerGB;
  if (!own) return [];
  const cores = (['rdma', 'shm'] as const).flatMap((transport) => {
    const count = clientCores[transport];
    const result = findings[transport];
    return result && typeof count === 'number'
      ? [{ count: formatNumber(count), name: transportLongName(transport, result.link) }]
      : [];
  });
  const [first, second] = cores;
  const busy =
    first && second
      ? `${first.count} cores busy in ${first.name} and ${second.count} cores in ${second.name}`
      : `${first?.count} cores busy`;
  const spin =
    polling && first
      ? [
          `The client polls: it checks the completion queue in a loop and never sleeps. It kept ${busy} while it was measured. ` +
            'A polling loop takes all the CPU time that it can get: up to 1 core, and less while other programs use the cores. ' +
            'Time that is neither NIC work nor kernel counts as the application’s: so does polling, except where it drives a software device, whose time counts as NIC work. Choose events to see what the application needs without polling.',
        ]
      : [];
  return [...byClass(findings, own), ...spin];
}

/** Shares of the CPU time of both ends, for each link that was measured. */
function software({ rdma, shm }: Findings): string {
  const [over, around] = [rdma?.cpuSecondsPerGB, shm?.cpuSecondsPerGB];
  const sentences = ['This device is software in the process.'];
  if (over)
    sentences.push(
      `The kernel carries the packets of ${transportLongName('rdma', rdma?.link)}: together with NIC work it takes ${percent(((over.nic ?? 0) + over.kernel) / cpuPerGBTotal(over))} of the CPU time.`,
    );
  if (around)
    sentences.push(
      `NIC work is ${percent((around.nic ?? 0) / cpuPerGBTotal(around))} of the CPU time of ${transportLongName('shm', 'shm')}, and the kernel ${kernelShare(around)}: it carries none of the packets, but schedules and wakes threads and handles page faults.`,
    );
  sentences.push(
    'A hardware NIC is expected to do nearly all of the NIC work by itself; this run does not measure it.',
  );
  return sentences.join(' ');
}

function byClass(findings: Findings, own: CpuPerGB): string[] {
  switch (findings.providerClass) {
    case 'user-space':
      return [software(findings)];
    case 'kernel':
      return [
        `This device is a driver in the kernel, which does the NIC’s work: in the calls of the endpoints, ${outsideText(own)} ` +
          'It says nothing about RDMA with a hardware NIC.',
      ];
    case 'hardware':
      return [
        'The NIC builds, sends, checks and places the packets. The CPU posts and takes completions, and you see only that here.',
      ];
    case 'simulated':
      return ['These figures come from the engine in virtual time, where CPU time means nothing.'];
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
  in: 'TCP’s client only receives: it counts what has arrived, and times nothing.',
} as const;

/** Events between which the clocks run. Goodput counts a message at the later one. */
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
        ? `With up to ${formatCount(depth)} requests outstanding, a request’s latency includes time in your own queue; it does not measure the network.`
        : 'With one request outstanding at a time, its latency is the round trip.',
    );
  return paragraphs;
}

/**
 * Short paragraphs: the limits of the comparison, the verdicts beside TCP, the effect of bypassing the kernel, CPU,
 * then the clocks.
 */
export function bulkFindings(findings: Findings): string[] {
  if (!findings.rdma && !findings.shm && !findings.tcp) return [];
  return [
    ...noise(findings),
    ...speed(findings),
    ...cost(findings),
    ...latencies(findings),
    ...bypass(findings),
    ...processor(findings),
    ...clocks(findings),
  ];
}
