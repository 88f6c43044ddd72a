import { linksOfCounters, type Link } from './links.js';
import type { EndTraffic, PacketRate } from './device-traffic.js';

type Values = Readonly<Record<string, number>>;

/** Counter names of devices for one direction. */
interface Names {
  packets: readonly string[];
  /** Byte counters of the embedded device by link. They are added up. */
  bytes: readonly string[];
  /** Data counter of a port in sysfs, in units of four bytes. */
  words: string;
}
const IN: Names = {
  packets: ['rcvd_pkts', 'port_rcv_packets'],
  bytes: ['udp_bytes_in', 'shm_bytes_in'],
  words: 'port_rcv_data',
};
const OUT: Names = {
  packets: ['sent_pkts', 'port_xmit_packets'],
  bytes: ['udp_bytes_out', 'shm_bytes_out'],
  words: 'port_xmit_data',
};

function bytesOf(values: Values, { bytes, words }: Names): number | null {
  const known = bytes.flatMap((name) => values[name] ?? []);
  if (known.length > 0) return known.reduce((sum, each) => sum + each, 0);
  const counted = values[words];
  return counted === undefined ? null : counted * 4;
}

/** Packets and bytes so far; null if the device counts no packets. */
function total(values: Values, names: Names): PacketRate | null {
  const packets = names.packets.flatMap((name) => values[name] ?? [])[0];
  return packets === undefined ? null : { packets, bytes: bytesOf(values, names) };
}

function grown(before: Values, now: Values, names: Names, seconds: number): PacketRate | null {
  const [from, to] = [total(before, names), total(now, names)];
  if (!from || !to) return null;
  const per = (a: number, b: number): number => Math.max(0, b - a) / seconds;
  return {
    packets: per(from.packets, to.packets),
    bytes: from.bytes === null || to.bytes === null ? null : per(from.bytes, to.bytes),
  };
}

/** Rates between two readings of a device's counters, `seconds` apart; null if it has none of them. */
export function rateBetween(before: Values, now: Values, seconds: number): EndTraffic['rate'] {
  if (!(seconds > 0)) return null;
  const into = grown(before, now, IN, seconds);
  const out = grown(before, now, OUT, seconds);
  return into && out ? { in: into, out, seconds } : null;
}

/** Links that carried packets between two readings. */
export const linksBetween = (before: Values, now: Values): Link[] =>
  linksOfCounters(
    Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)])),
  );
