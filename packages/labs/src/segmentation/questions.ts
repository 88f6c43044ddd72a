import { PSN_MODULUS } from '@verbslab/roce';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { packetsOf } from '../wire/segments.js';

export const SEGMENTATION_SELF_CHECKS = [
  numberCheck({
    id: 'next-psn',
    numbers: {
      size: [1000, 4096, 5000, 10_000, 65_536],
      mtu: [256, 1024, 2048],
      psn: { min: 16_777_100, max: 16_777_215 },
    },
    text: ({ size, mtu, psn }) =>
      `A READ of ${size} B at a path MTU of ${mtu} B has PSN ${psn}. What is the PSN of the next request?`,
    answer: ({ size, mtu, psn }) => (psn + packetsOf(size, mtu)) % PSN_MODULUS,
    tolerance: 0,
    worked: ({ size, mtu, psn }) =>
      `One per response: ${psn} + ${packetsOf(size, mtu)} = ${psn + packetsOf(size, mtu)}. PSNs have 24 bits: modulo 16,777,216 that is ${(psn + packetsOf(size, mtu)) % PSN_MODULUS}.`,
  }),
  choiceCheck({
    id: 'interface-mtu',
    text: 'Why does an Ethernet MTU of 1500 B give a path MTU of 1024 B?',
    options: [
      {
        id: 'payload',
        text: 'It counts payload; the next step is 2048',
      },
      { id: 'half', text: 'RDMA reserves room for acknowledgments' },
      { id: 'fragment', text: 'IP fragments a packet of 2048 B' },
    ],
    answer: 'payload',
    worked: 'Of 256, 512, 1024, 2048 and 4096, 1024 is the largest that fits with headers.',
  }),
];
