import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { linkLocalOf } from './gids.js';
import { HEADER_ROOM_BYTES, pathMtuOf } from './mtu.js';

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const mac = (first: number, last: number): string => `${hex(first)}:66:55:b1:9a:${hex(last)}`;

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
      `A path MTU is 256, 512, 1024, 2048 or 4096 B. The largest one with ${mtu} ≥ path MTU + ${HEADER_ROOM_BYTES} B of headers is ${pathMtuOf(mtu)} B.`,
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
    worked:
      'Insert ff:fe in the middle: 70:66:55:ff:fe:b1:9a:8d. Flip bit 1 of the first byte: 0x70 becomes 0x72. With the prefix: fe80::7266:55ff:feb1:9a8d.',
  }),
  numberCheck({
    id: 'first-byte',
    numbers: { first: [0x70, 0x02, 0x0c, 0xa8], last: { min: 0x10, max: 0xf0, step: 0x11 } },
    text: ({ first, last }) =>
      `An interface has the MAC ${mac(first, last)}. What is the first byte after fe80:: in its link-local GID, as a decimal number?`,
    answer: ({ first }) => first ^ 2,
    tolerance: 0,
    worked: ({ first, last }) =>
      `0x${hex(first)} with bit 1 flipped is 0x${hex(first ^ 2)}, which is ${first ^ 2}. The GID is ${linkLocalOf(mac(first, last))}.`,
  }),
];
