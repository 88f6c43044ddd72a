import { hexNumber } from '../base/bytes.js';
import { header, mac, uint } from '../base/header.js';

export const EtherType = {
  IPV4: 0x0800,
  ARP: 0x0806,
  VLAN: 0x8100,
  IPV6: 0x86dd,
  QINQ: 0x88a8,
  /** Type of 802.1ad tags before they had a number of their own. */
  OLD_QINQ: 0x9100,
  ROCE_V1: 0x8915,
  MPLS: 0x8847,
  MPLS_MULTICAST: 0x8848,
  PPPOE: 0x8864,
  MAC_CONTROL: 0x8808,
  /** An Ethernet frame in a tunnel. */
  ETHERNET: 0x6558,
  ERSPAN: 0x88be,
  ERSPAN_III: 0x22eb,
} as const;

const NAMES: Record<number, string> = {
  0x0800: 'IPv4',
  0x0806: 'ARP',
  0x8100: '802.1Q VLAN',
  0x86dd: 'IPv6',
  0x88a8: '802.1ad service VLAN',
  0x88cc: 'LLDP',
  0x8808: 'MAC control (PAUSE, PFC)',
  0x8847: 'MPLS',
  0x8848: 'MPLS multicast',
  0x8863: 'PPPoE discovery',
  0x8864: 'PPPoE session',
  0x88be: 'ERSPAN',
  0x22eb: 'ERSPAN type III',
  0x6558: 'Ethernet',
  0x88e5: 'MACsec',
  0x88f7: 'PTP',
  0x9100: '802.1Q double tag',
  0x8915: 'RoCEv1',
};

export const etherTypeName = (type: number): string => NAMES[type] ?? hexNumber(type, 4);
export const etherTypeText = (type: number): string => `${NAMES[type] ?? 'Unknown'} (${hexNumber(type, 4)})`;

/** Ethernet II header. */
export const ethernet = header({
  id: 'ethernet',
  name: 'eth',
  title: 'Ethernet II',
  length: 14,
  fields: {
    dst: mac(0, {
      name: 'eth.dst',
      label: 'Destination',
      doc: 'Hardware address of the next station on this link.',
    }),
    src: mac(6, {
      name: 'eth.src',
      label: 'Source',
      doc: 'Hardware address of the station that sent the frame.',
    }),
    type: uint(12, 2, {
      name: 'eth.type',
      label: 'Type',
      text: etherTypeText,
      doc: 'What follows: RoCEv2 travels in IPv4 or IPv6, RoCEv1 has a type of its own (0x8915).',
    }),
  },
});
