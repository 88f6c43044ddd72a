/** Numbers and texts that IPv4, IPv6 and GRH share. */
export const IpProtocol = {
  HOP_OPTIONS: 0,
  ICMP: 1,
  IPV4: 4,
  TCP: 6,
  UDP: 17,
  IB_BTH: 27,
  IPV6: 41,
  ROUTING: 43,
  FRAGMENT: 44,
  GRE: 47,
  ESP: 50,
  AUTHENTICATION: 51,
  ICMPV6: 58,
  DESTINATION_OPTIONS: 60,
  ETHERIP: 97,
  MPLS: 137,
  ETHERNET: 143,
} as const;

const PROTOCOLS: Record<number, string> = {
  0: 'IPv6 hop-by-hop',
  1: 'ICMP',
  2: 'IGMP',
  6: 'TCP',
  17: 'UDP',
  27: 'InfiniBand BTH',
  4: 'IPv4 in IP',
  41: 'IPv6 in IP',
  43: 'IPv6 routing',
  44: 'IPv6 fragment',
  47: 'GRE',
  50: 'ESP',
  51: 'AH',
  58: 'ICMPv6',
  59: 'IPv6 without payload',
  60: 'IPv6 destination options',
  89: 'OSPF',
  97: 'EtherIP',
  112: 'VRRP',
  132: 'SCTP',
  137: 'MPLS in IP',
  143: 'Ethernet in IP',
};
export const protocolName = (p: number): string => PROTOCOLS[p] ?? `IP protocol ${p}`;
export const protocolText = (p: number): string => `${PROTOCOLS[p] ?? 'Unknown'} (${p})`;

const ECN = ['Not ECN-capable', 'ECN-capable, ECT(1)', 'ECN-capable, ECT(0)', 'Congestion experienced'];
export const ecnText = (v: number): string => `${ECN[v]!} (${v})`;

export const docs = {
  dscp: 'Class of service; networks that carry RoCE map it to a queue and a flow-control priority.',
  ecn: 'A switch that uses ECN sets this to 3 when its queue grows, and a RoCE receiver may answer with a CNP.',
  hops: 'Routers left before the packet is dropped; changed on the way, so the ICRC does not cover it.',
};
