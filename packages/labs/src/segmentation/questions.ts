import { PSN_MODULUS } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { ETHERNET_BYTES, HEADER_BYTES, padOf } from '../wire/sizes.js';
import { packetsOf } from '../wire/segments.js';

const { udp, bth, icrc } = HEADER_BYTES;
const shareOf = (mtu: number, ip: number): number =>
  (100 * mtu) / (mtu + ip + udp + bth + icrc + ETHERNET_BYTES);
const lastOf = (size: number, mtu: number): number => size - mtu * (packetsOf(size, mtu) - 1);
const lastBytes = (payload: number): number =>
  HEADER_BYTES.ipv4 + udp + bth + payload + padOf(payload) + icrc;

export const SEGMENTATION_SELF_CHECKS = [
  numberCheck({
    id: 'next-psn',
    numbers: {
      size: [1000, 4096, 5000, 10_000, 65_536],
      mtu: [256, 1024, 2048],
      psn: { min: 16_777_100, max: 16_777_215 },
    },
    text: ({ size, mtu, psn }) =>
      `A READ of ${size} B has PSN ${psn}. The path MTU is ${mtu} B. What is the PSN of the next request of this QP?`,
    answer: ({ size, mtu, psn }) => (psn + packetsOf(size, mtu)) % PSN_MODULUS,
    tolerance: 0,
    worked: ({ size, mtu, psn }) =>
      `The READ takes ${packetsOf(size, mtu)} PSNs, one per response. ${psn} + ${packetsOf(size, mtu)} = ${psn + packetsOf(size, mtu)}, and PSNs have 24 bits: modulo 16,777,216 that is ${(psn + packetsOf(size, mtu)) % PSN_MODULUS}.`,
  }),
  numberCheck({
    id: 'share',
    numbers: { mtu: [256, 512, 1024, 2048, 4096], ip: [HEADER_BYTES.ipv4, HEADER_BYTES.ipv6] },
    text: ({ mtu, ip }) =>
      `A WRITE Middle packet carries ${mtu} B over ${ip === HEADER_BYTES.ipv4 ? 'IPv4' : 'IPv6'}. What percentage of its bytes on Ethernet is payload?`,
    answer: ({ mtu, ip }) => shareOf(mtu, ip),
    unit: '%',
    tolerance: 0.005,
    worked: ({ mtu, ip }) =>
      `Ethernet ${ETHERNET_BYTES} + IP ${ip} + UDP ${udp} + BTH ${bth} + ICRC ${icrc} = ${ETHERNET_BYTES + ip + udp + bth + icrc} B around the payload. ${mtu} / ${mtu + ETHERNET_BYTES + ip + udp + bth + icrc} = ${shareOf(mtu, ip).toPrecision(4)} %.`,
  }),
  numberCheck({
    id: 'last-packet',
    numbers: { size: [1030, 2051, 4097, 5002, 9999], mtu: [512, 1024] },
    text: ({ size, mtu }) =>
      `A SEND of ${size} B runs over IPv4 at a path MTU of ${mtu} B. How long is its last IP packet?`,
    answer: ({ size, mtu }) => lastBytes(lastOf(size, mtu)),
    unit: 'B',
    tolerance: 0,
    worked: ({ size, mtu }) => {
      const payload = lastOf(size, mtu);
      return `${plural(packetsOf(size, mtu) - 1, 'full packet')} before it: ${payload} B are left, with ${padOf(payload)} B of pad. IP 20 + UDP 8 + BTH 12 + ${payload} + ${padOf(payload)} + ICRC 4 = ${lastBytes(payload)} B.`;
    },
  }),
  choiceCheck({
    id: 'interface-mtu',
    text: 'An Ethernet interface has an MTU of 1500 B. Why is the path MTU of RDMA 1024 B there?',
    options: [
      {
        id: 'payload',
        text: 'The path MTU counts payload only and is a power of two. The headers leave less than 2048 B.',
      },
      { id: 'half', text: 'RDMA reserves part of each frame for its acknowledgments.' },
      { id: 'fragment', text: 'IP fragments a packet of 2048 B, and 1024 B is one of the fragments.' },
    ],
    answer: 'payload',
    worked:
      'Ethernet’s 1500 B hold IP, UDP, BTH, extended headers, payload and ICRC. Of 256, 512, 1024, 2048 and 4096, 1024 is the largest payload that fits.',
  }),
];
