/** What the figures mean, in words that follow from them and from what does the NIC's work. Pure functions. */
import {
  cpuPerGBTotal,
  SOCKET_BUFFER_CURE,
  type CpuPerGB,
  type ProviderClass,
  type TransportResult,
} from '@verbslab/protocol';
import { formatNumber, formatTime, plural } from '../format.js';

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
  'mostly 10 ms and holds whatever else that machine’s kernel did meanwhile. A soft interrupt that catches a process at work is charged to that process by most kernels: what ' +
  'caught the measuring thread is in its kernel time, what caught another process is in neither.';

/** Why packets were lost at the end `role`, when its counters know; else null. `grown`: its counters over the run. */
export function overrunText(role: string, grown: Readonly<Record<string, number>>): string | null {
  const lost = grown.udp_receive_overruns ?? 0;
  if (lost === 0) return null;
  return (
    `${plural(lost, 'datagram')} found the receive buffer at the ${role} full and ${lost === 1 ? 'was' : 'were'} lost: the sender has more under way than the buffer holds. ` +
    `The kernel’s rxe sends 128 packets ahead and does not adapt. A larger buffer helps: ${SOCKET_BUFFER_CURE}`
  );
}

const gbps = (value: number): string => `${formatNumber(value)} Gb/s`;
const us = (value: number): string => formatTime(value * 1000);
const cost = (value: number): string => `${formatNumber(value)} CPU s/GB`;

/** `1.3 times`, or `as fast` within five percent. */
function compared(a: number, b: number, more: string, less: string): string {
  const ratio = a / b;
  if (ratio > 0.95 && ratio < 1.05) return 'about the same';
  return ratio >= 1 ? `${formatNumber(ratio)} times ${more}` : `${formatNumber(1 / ratio)} times ${less}`;
}

function speed({ rdma, tcp, together }: Findings): string[] {
  if (rdma && tcp && tcp.goodputGbps > 0 && rdma.goodputGbps > 0) {
    const verdict = compared(rdma.goodputGbps, tcp.goodputGbps, 'as much as TCP', 'less than TCP');
    return [
      `RDMA moved ${gbps(rdma.goodputGbps)} of payload and TCP ${gbps(tcp.goodputGbps)}: ${verdict}.` +
        (together
          ? ' They ran at once and shared the CPU, so neither figure is what it would be alone.'
          : ''),
    ];
  }
  const [name, only] = rdma ? (['RDMA', rdma] as const) : (['TCP', tcp] as const);
  return only ? [`${name} moved ${gbps(only.goodputGbps)} of payload.`] : [];
}

function processor(findings: Findings): string[] {
  const { providerClass, rdma, tcp, polling } = findings;
  const own = rdma?.cpuSecondsPerGB;
  const other = tcp?.cpuSecondsPerGB;
  const sentences: string[] = [];
  if (own && other)
    sentences.push(
      `Both ends together, a gigabyte cost ${cost(cpuPerGBTotal(own))} over RDMA and ${cost(cpuPerGBTotal(other))} over TCP: RDMA took ` +
        `${compared(cpuPerGBTotal(own), cpuPerGBTotal(other), 'as much', 'less')}.`,
    );
  else if (own) sentences.push(`Both ends together, a gigabyte cost ${cost(cpuPerGBTotal(own))}.`);
  else if (other)
    sentences.push(
      `Both ends together, a gigabyte cost ${cost(cpuPerGBTotal(other))}, nearly all of it in the kernel.`,
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
  const more =
    other !== null && cpuPerGBTotal(own) > cpuPerGBTotal(other)
      ? 'On a software device that is how it must be. '
      : '';
  switch (providerClass) {
    case 'user-space':
      return [
        `${more}This device is software in the process: the CPU does the NIC’s work, ${formatNumber(own.nic ?? 0)} s/GB building, checking and placing packets, and ` +
          `${formatNumber(own.kernel)} in the kernel carrying them.`,
        `A hardware NIC does nearly all of both by itself. What would be left is the application’s ${formatNumber(own.app)} s/GB${tcpWork}. That split, not the sum, is what RDMA is about.`,
      ];
    case 'kernel':
      return [
        `This device is a driver in the kernel, which does the NIC’s work: ${formatNumber(own.kernel)} s/GB in the calls of the endpoints, ${outsideText(own)} ` +
          'On such a device RDMA costs more CPU than TCP; do not take it as a verdict on RDMA.',
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
    ? 'and more in soft interrupts and kernel threads, which is charged to nobody and missing here, since both transports ran at once.'
    : `and ${formatNumber(outside)} s/GB outside of every process, in soft interrupts and kernel threads.`;
}

function delay({ rdma, tcp, depth }: Findings): string[] {
  const own = rdma?.latencyUs;
  const sentences: string[] = [];
  if (own)
    sentences.push(
      `Half of the signalled requests completed within ${us(own.p50)}, and one in a thousand took more than ${us(own.p999)}. ` +
        (depth > 1
          ? `With up to ${depth} requests under way most of that is waiting in your own queue; it is no measure of the wire.`
          : 'With one request under way at a time this is the round trip.'),
    );
  if (tcp?.latencyUs)
    sentences.push(
      `For TCP the clock stops when the peer has acknowledged the chunk: ${us(tcp.latencyUs.p50)} for half of them.`,
    );
  return sentences;
}

/** A paragraph, sentence by sentence: speed, then CPU, then latency. */
export function bulkFindings(findings: Findings): string[] {
  return [...speed(findings), ...processor(findings), ...delay(findings)];
}
