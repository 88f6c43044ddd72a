// The link that carried the packets of a run, by the devices' counters and not by the run's own statement.
import type { Link } from '@verbslab/protocol';
import type { Evidence, Measured } from './evidence.js';
import { itemsOf } from './export.js';
import { sum } from './figures.js';
import { loopsOf, ofAll } from './loops.js';
import { countersOf, growth } from './problems.js';

/** Names of the links in badges and rows. */
export const BADGES: Readonly<Record<Link, string>> = {
  udp: 'user-space, through the kernel',
  shm: 'user-space, kernel bypassed',
};
export const PATHS: Readonly<Record<Link, string>> = { udp: 'through the kernel', shm: 'kernel bypassed' };

export const COUNTERS_ROAD = 'what the devices counted on sockets and in rings';

/** Largest payload of a packet, bytes. The embedded device has no larger MTU. */
const MTU = 4096;

const counted = ({ data }: Evidence, ...names: string[]): number =>
  sum([...countersOf(data)].flatMap(([endpoint]) => names.map((name) => growth(data, endpoint, name))));

/** Links that moved any packet. */
export function linksOf(evidence: Evidence): Link[] {
  if (countersOf(evidence.data).size === 0) return linksWithoutCounters(evidence);
  return [
    ...(counted(evidence, 'udp_sends', 'udp_datagrams_in') > 0 ? (['udp'] as const) : []),
    ...(counted(evidence, 'shm_packets_out', 'shm_packets_in') > 0 ? (['shm'] as const) : []),
  ];
}

/**
 * Links of a run without counters. Its ends are two processes of one user on this host, which share memory by default.
 */
function linksWithoutCounters({ data }: Evidence): Link[] {
  const { link, links = link } = data.run.parameters;
  if (links === undefined) return [];
  const hosts = itemsOf(data, 'endpoint').map(({ host = 'local' }) => host);
  if (links === 'udp' || hosts.some((host) => host !== 'local')) return ['udp'];
  return links === 'both' ? ['udp', 'shm'] : ['shm'];
}

/**
 * Returns the link of a transport. Rings must have carried at least the bytes of all loops over them. Enough packets
 * for the bytes of all other loops must have gone another way.
 */
export function linkOf(evidence: Evidence, transport: Measured): Link | null {
  if (transport === 'tcp') return null;
  const { data } = evidence;
  const moved = (of: Measured): number =>
    sum(
      loopsOf(data)
        .filter((loop) => loop.transport === of && loop.role === 'client')
        .map((loop) => ofAll(loop, 'bytes')),
    );
  const inRings = counted(evidence, 'shm_bytes_out');
  if (transport === 'shm') return inRings >= moved('shm') && moved('shm') > 0 ? 'shm' : null;
  const elsewhere = counted(evidence, 'sent_pkts') - counted(evidence, 'shm_packets_out');
  return elsewhere >= moved('rdma') / MTU && counted(evidence, 'udp_sends') > 0 ? 'udp' : null;
}

const OVER: Readonly<Record<Link, string>> = { udp: 'RDMA/UDP', shm: 'RDMA/shm' };
const NAMES: Readonly<Record<string, Measured>> = { [OVER.udp]: 'rdma', [OVER.shm]: 'shm', TCP: 'tcp' };

/** Returns the transport that a heading or legend names; undefined if the run used another link. */
export function transportNamed(evidence: Evidence, name: string): Measured | undefined {
  const links = linksOf(evidence);
  // A program's figures cover all its RDMA, over any link.
  if (evidence.data.run.lab === 'program')
    return name === (links.length === 1 ? OVER[links[0]!] : 'RDMA') ? 'rdma' : undefined;
  const transport = NAMES[name];
  if (!transport || transport === 'tcp') return transport;
  const link = linkOf(evidence, transport);
  return link && name === OVER[link] ? transport : undefined;
}
