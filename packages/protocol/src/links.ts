// No schemas here: pages use these words, and must not load a validator for them.
import { PROVIDER_CLASS_TEXT, type ProviderClass } from './provider-class.js';
import { TRANSPORT_NAME, type Transport } from './transports.js';

/** Links of the embedded device: sockets of the kernel, or rings in shared memory. */
export const LINKS = ['udp', 'shm'] as const;
export type Link = (typeof LINKS)[number];

/**
 * Socket buffer that the embedded device requests, bytes (native/uroce/net/udp/udp_socket.h), and the command that
 * allows it.
 */
export const SOCKET_BUFFER_WANTED = 4 << 20;
export const SOCKET_BUFFER_CURE = `sudo sysctl -w net.core.rmem_max=${SOCKET_BUFFER_WANTED}`;

/** Path of a link, in two or three words. */
export const LINK_PATH: Readonly<Record<Link, string>> = {
  udp: 'through the kernel',
  shm: 'kernel bypassed',
};

/** Badge of figures that were measured over a link. */
export const LINK_NAME: Readonly<Record<Link, string>> = {
  udp: `user-space, ${LINK_PATH.udp}`,
  shm: `user-space, ${LINK_PATH.shm}`,
};

/** Badge of figures over both links. The legend names the link of each line. */
export const BOTH_LINKS_NAME = 'user-space, both links';

export const LINK_TEXT: Readonly<Record<Link, string>> = {
  udp: 'Packets go through UDP sockets: the kernel carries each of them.',
  shm: 'Packets go through shared memory: the kernel carries none of them, but still schedules and wakes threads and handles page faults.',
};

/** Sentence for a run that measured both links, each under its name. */
export const BOTH_LINKS_TEXT =
  'RDMA over UDP (RDMA/UDP) sends its packets through sockets of the kernel; RDMA over shared memory (RDMA/shm) bypasses the kernel.';

/** Sentences on the links that carried the packets: one, or none if they are unknown. */
export const carriedText = (links: readonly Link[]): string[] =>
  links.length > 1 ? [BOTH_LINKS_TEXT] : links.map((link) => LINK_TEXT[link]);

/** Transport of RDMA figures over these links: `shm` if no packet took another link. */
export const transportOfLinks = (links: readonly Link[] | undefined): Transport =>
  links?.length === 1 && links[0] === 'shm' ? 'shm' : 'rdma';

const OVER_LINK: Readonly<Record<Link, { short: string; long: string }>> = {
  udp: { short: 'RDMA/UDP', long: 'RDMA over UDP' },
  shm: { short: TRANSPORT_NAME.shm, long: 'RDMA over shared memory' },
};

/** Link that carried the packets of a transport, if it is known. */
const linkThatCarried = (transport: Transport, link: Link | null | undefined): Link | null =>
  transport === 'shm' ? 'shm' : transport === 'rdma' ? (link ?? null) : null;

/** Name of a transport over a known link in headings, legends and columns: `RDMA/UDP`. */
export function transportName(transport: Transport, link: Link | null | undefined): string {
  const carried = linkThatCarried(transport, link);
  return carried ? OVER_LINK[carried].short : TRANSPORT_NAME[transport];
}

/** Name of a transport in sentences: `RDMA over UDP`. */
export function transportLongName(transport: Transport, link: Link | null | undefined): string {
  const carried = linkThatCarried(transport, link);
  return carried ? OVER_LINK[carried].long : TRANSPORT_NAME[transport];
}

/** Sentences on the provider class and the links of the packets. */
export const providerText = (provider: ProviderClass, links: readonly Link[] | undefined): string =>
  [PROVIDER_CLASS_TEXT[provider], ...carriedText(links ?? [])].join(' ');

const grew = (values: Readonly<Record<string, number>>, names: readonly string[]): boolean =>
  names.some((name) => (values[name] ?? 0) > 0);

/** Links that moved packets, by the counters of an embedded device since its process began. */
export const linksOfCounters = (values: Readonly<Record<string, number>>): Link[] => [
  ...(grew(values, ['udp_sends', 'udp_datagrams_in']) ? (['udp'] as const) : []),
  ...(grew(values, ['shm_packets_out', 'shm_packets_in']) ? (['shm'] as const) : []),
];
