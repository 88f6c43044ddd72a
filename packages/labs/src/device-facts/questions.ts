import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { HEADER_ROOM_BYTES, pathMtuOf } from './mtu.js';

export const DEVICE_FACTS_QUESTIONS = [
  numberCheck({
    id: 'path-mtu',
    numbers: { mtu: [1280, 1500, 2000, 4000, 9000] },
    text: ({ mtu }) =>
      `An interface has an MTU of ${mtu} B. What path MTU does its RDMA port have, if it leaves ${HEADER_ROOM_BYTES} B for headers?`,
    answer: ({ mtu }) => pathMtuOf(mtu),
    unit: 'B',
    tolerance: 0,
    worked: ({ mtu }) =>
      `The largest of 256, 512, 1024, 2048 and 4096 B that leaves ${HEADER_ROOM_BYTES} B is ${pathMtuOf(mtu)} B.`,
  }),
  choiceCheck({
    id: 'gid-of-mac',
    text: 'An interface has the MAC 70:66:55:b1:9a:8d. What is its link-local GID?',
    options: [
      { id: 'eui64', text: 'fe80::7266:55ff:feb1:9a8d' },
      { id: 'not-flipped', text: 'fe80::7066:55ff:feb1:9a8d' },
      { id: 'no-filler', text: 'fe80::7266:55b1:9a8d' },
      { id: 'mapped', text: '::ffff:7066:55b1:9a8d' },
    ],
    answer: 'eui64',
    worked: 'Insert ff:fe in the middle. Flip bit 1 of the first byte: 0x70 becomes 0x72.',
  }),
];
