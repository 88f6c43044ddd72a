/** What IPv4, IPv6 and GRH share. */
export const IpProtocol = { TCP: 6, UDP: 17, ICMPV6: 58, ICMP: 1, IB_BTH: 27 } as const;

const PROTOCOLS: Record<number, string> = {
  0: 'IPv6 hop-by-hop',
  1: 'ICMP',
  2: 'IGMP',
  6: 'TCP',
  17: 'UDP',
  27: 'InfiniBand BTH',
  44: 'IPv6 fragment',
  58: 'ICMPv6',
};
export const protocolName = (p: number): string => PROTOCOLS[p] ?? `IP protocol ${p}`;
export const protocolText = (p: number): string => `${PROTOCOLS[p] ?? 'Unknown'} (${p})`;

const ECN = ['Not ECN-capable', 'ECN-capable, ECT(1)', 'ECN-capable, ECT(0)', 'Congestion experienced'];
export const ecnText = (v: number): string => `${ECN[v]!} (${v})`;

export const docs = {
  dscp: 'Class of service; networks that carry RoCE map it to a queue and a flow-control priority.',
  ecn: 'A switch whose queue grows sets this to 3, and the receiver answers with a CNP.',
  hops: 'Routers left before the packet is dropped; changed on the way, so the ICRC does not cover it.',
};
