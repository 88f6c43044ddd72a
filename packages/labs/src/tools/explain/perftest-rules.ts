import { three } from './exchange-rules.js';
import type { LineRule, Meaning, Seen } from './rule.js';

const MIB = 2 ** 20;

const isBandwidth = (heading: string): boolean => heading.includes('BW average');
const isLatency = (heading: string): boolean => heading.includes('t_avg[usec]');

/** The average of a row in 10^9 bits per second. */
export function averageGbps(heading: string, average: number): number {
  return heading.includes('Gb/sec') ? average : (average * MIB * 8) / 1e9;
}

function bandwidth(size: number, average: number, rate: number, heading: string): Meaning {
  const gbps = averageGbps(heading, average);
  return {
    text: 'One row per size. The average is over the whole test, the peak over its best stretch; a peak of 0 was not measured. With -D, perftest leaves out a quarter of the time at each end, in whole seconds and so from 4 s on: then the device moves more messages than #iterations.',
    figures: `Average ${three(gbps)} Gb/s: ${three(rate * 1e6)} messages of ${size} B per second.`,
  };
}

function latency(reads: boolean, cells: readonly string[], heading: string): Meaning {
  const columns = heading.trim().split(/\s{2,}|(?<=\])\s+/);
  const at = (name: string): number => {
    const index = columns.findIndex((column) => column.startsWith(name));
    // “#bytes #iterations” are only one space apart.
    const shift = cells.length - columns.length;
    return Number(cells[index + shift]);
  };
  const typical = heading.includes('t_typical') ? at('t_typical') : at('t_avg');
  const name = heading.includes('t_typical') ? 'Typical (median)' : 'Average';
  return {
    text: reads
      ? 'Times of one READ, which is a full round trip.'
      : 'Times are half of a round trip: the program measures a message each way and divides by two.',
    figures: reads
      ? `${name}: ${three(typical)} µs.`
      : `${name}: ${three(typical)} µs, so ${three(2 * typical)} µs for the round trip.`,
  };
}

const row = (reads: boolean): LineRule => ({
  line: /^\s*(\d+)\s+\d+\s+[\d.]+/,
  meaning: ({ input, 1: size }, { heading }: Seen) => {
    const cells = input.trim().split(/\s+/);
    if (isBandwidth(heading)) return bandwidth(Number(size), Number(cells[3]), Number(cells[4]), heading);
    return isLatency(heading) ? latency(reads, cells, heading) : null;
  },
});

const FIXED: readonly LineRule[] = [
  { line: /Waiting for client to connect/, meaning: 'The server listens. The client can be started now.' },
  { line: /^ Waiting for client rdma_cm QP/, meaning: 'The server listens in the connection manager (-R).' },
  {
    line: /(RDMA_\w+|Send) (BW|Latency) Test/,
    meaning: 'The verb that is measured, and whether bandwidth or latency.',
  },
  {
    line: /^ Number of qps\s+:/,
    meaning: 'QPs that work at once (-q). Transport type IB means verbs, on RoCE too.',
  },
  { line: /^ Connection type\s+:/, meaning: 'Service type of the QPs (-c).' },
  {
    line: /^ Dual-port\s+:/,
    meaning: 'Whether both ports of a card are used. The device is the first that was found.',
  },
  {
    line: /^ PCIe relax order/,
    meaning: 'Whether the card may reorder its writes to memory. Without a bus it changes nothing.',
  },
  { line: /^ ibv_wr\* API/, meaning: 'Whether it posts by ibv_wr_*() or by ibv_post_send().' },
  {
    line: /^ TX depth\s+:/,
    meaning: 'Work requests outstanding at most, per QP (-t). Latency tests have one.',
  },
  { line: /^ RX depth\s+:/, meaning: 'Receives that are posted at most (-r).' },
  {
    line: /^ CQ Moderation\s+:/,
    meaning:
      'One in so many work requests is signaled (-Q). Large messages are all signaled, except with -a, with -e or on UD.',
  },
  { line: /^ Mtu\s+:/, meaning: 'Path MTU: payload of one packet at most (-m).' },
  { line: /^ Link type\s+:/, meaning: 'Ethernet makes it RoCE.' },
  { line: /^ GID index\s+:/, meaning: 'Which address of the port is the source (-x).' },
  {
    line: /^ Max inline data\s+:/,
    meaning: 'Messages up to this size are copied into the work request (-I).',
  },
  {
    line: /^ Outstand reads\s+:/,
    meaning: 'READs that may be outstanding at once, by the limit of this end. The peer’s may be lower.',
  },
  { line: /^ rdma_cm QPs\s+:/, meaning: 'Whether the connection manager connects the QPs (-R).' },
  {
    line: /^ Data ex\. method\s+:/,
    meaning: 'How the two programs exchanged their addresses: TCP (“Ethernet”) or rdma_cm.',
  },
  {
    line: /^ local address:/,
    meaning: 'QPN and first PSN of this end. RKey and VAddr name the memory that the peer may access.',
  },
  {
    line: /^ remote address:/,
    meaning: 'The same of the peer. A WRITE or READ carries its VAddr and RKey in the RETH.',
  },
  {
    line: /^ GID: /,
    meaning:
      'The address of that end, byte by byte in decimal. 255:255 and four numbers are an IPv4 address.',
  },
  {
    line: /#bytes\s+#iterations\s+BW peak/,
    meaning: ({ input }) => ({
      text: input.includes('Gb/sec')
        ? 'Gb are 10^9 bits. MsgRate: 10^6 messages per second (Mpps), although a message may be many packets.'
        : 'MB are MiB: 2^20 bytes. MsgRate: 10^6 messages per second (Mpps), although a message may be many packets.',
    }),
  },
  {
    line: /#bytes\s+#iterations\s+t_/,
    meaning:
      'Microseconds. t_typical is the median, t_stdev the standard deviation; the percentiles need many iterations.',
  },
  {
    line: /Couldn't connect to/,
    meaning: 'The TCP connection failed. Start the server first, on this port.',
  },
  {
    line: /Device not recognized to implement inline/,
    meaning: 'perftest does not know this vendor, so it uses no inline data.',
  },
  {
    line: /Correlation coefficient r\^2/,
    meaning:
      'The CPU’s frequency could not be measured well, so the times may be wrong. The machine may have been busy.',
  },
];

export const perftestRules = (program: string): readonly LineRule[] => [
  ...FIXED,
  row(program.includes('_read_')),
];
