// Without schemas: pages ask for these words, and must not load a validator for it.
import { PROVIDER_CLASS_TEXT, type ProviderClass } from './provider-class.js';
import { TRANSPORT_NAME, type Transport } from './transports.js';

/** What carries the packets of the embedded device: sockets of the kernel, or rings in shared memory. */
export const LINKS = ['udp', 'shm'] as const;
export type Link = (typeof LINKS)[number];

/** What a link means, in two or three words. */
export const LINK_PATH: Readonly<Record<Link, string>> = {
  udp: 'through the kernel',
  shm: 'kernel bypassed',
};

/** On the badge of figures that were measured over a link. */
export const LINK_NAME: Readonly<Record<Link, string>> = {
  udp: `user-space, ${LINK_PATH.udp}`,
  shm: `user-space, ${LINK_PATH.shm}`,
};

/** On the badge of what was measured over both, where the legend names the link of each line. */
export const BOTH_LINKS_NAME = 'user-space, both links';

export const LINK_TEXT: Readonly<Record<Link, string>> = {
  udp: 'Packets go through UDP sockets: the kernel carries each of them.',
  shm: 'Packets go through shared memory: the kernel carries none of them, but still schedules and wakes threads and handles page faults.',
};

/** Where a run measured both, each under its name. */
export const BOTH_LINKS_TEXT =
  'RDMA over UDP (RDMA/UDP) sends its packets through sockets of the kernel; RDMA over shared memory (RDMA/shm) bypasses the kernel.';

/** What carried the packets over these links: one sentence, or none if that is not known. */
export const carriedText = (links: readonly Link[]): string[] =>
  links.length > 1 ? [BOTH_LINKS_TEXT] : links.map((link) => LINK_TEXT[link]);

/** The transport that figures of RDMA over these links belong to: `shm` where no packet went another way. */
export const transportOfLinks = (links: readonly Link[] | undefined): Transport =>
  links?.length === 1 && links[0] === 'shm' ? 'shm' : 'rdma';

const OVER_LINK: Readonly<Record<Link, { short: string; long: string }>> = {
  udp: { short: 'RDMA/UDP', long: 'RDMA over UDP' },
  shm: { short: TRANSPORT_NAME.shm, long: 'RDMA over shared memory' },
};

/** What carried the packets of a transport, as far as it is known. */
const linkThatCarried = (transport: Transport, link: Link | null | undefined): Link | null =>
  transport === 'shm' ? 'shm' : transport === 'rdma' ? (link ?? null) : null;

/** As headings, legends and columns call a transport over a known link: `RDMA/UDP`. */
export function transportName(transport: Transport, link: Link | null | undefined): string {
  const carried = linkThatCarried(transport, link);
  return carried ? OVER_LINK[carried].short : TRANSPORT_NAME[transport];
}

/** As sentences call it: `RDMA over UDP`. */
export function transportLongName(transport: Transport, link: Link | null | undefined): string {
  const carried = linkThatCarried(transport, link);
  return carried ? OVER_LINK[carried].long : TRANSPORT_NAME[transport];
}

/** What does the NIC's work, and what carries the packets: sentences. */
export const providerText = (provider: ProviderClass, links: readonly Link[] | undefined): string =>
  [PROVIDER_CLASS_TEXT[provider], ...carriedText(links ?? [])].join(' ');

const grew = (values: Readonly<Record<string, number>>, names: readonly string[]): boolean =>
  names.some((name) => (values[name] ?? 0) > 0);

/** The links that moved packets, by the counters of an embedded device since its process began. */
export const linksOfCounters = (values: Readonly<Record<string, number>>): Link[] => [
  ...(grew(values, ['udp_sends', 'udp_datagrams_in']) ? (['udp'] as const) : []),
  ...(grew(values, ['shm_packets_out', 'shm_packets_in']) ? (['shm'] as const) : []),
];
