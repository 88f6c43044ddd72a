import { exercise } from './exercise.js';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
type Mac = Readonly<Record<(typeof KEYS)[number], number>>;
const byte = (value: number): string => value.toString(16).padStart(2, '0');
const macOf = (n: Mac): string => KEYS.map((key) => byte(n[key])).join(':');
const group = (high: number, low: number): string => ((high << 8) | low).toString(16);
/** EUI-64: the second bit of the first byte is flipped, and ff:fe is in the middle. */
const linkLocal = ({ a, b, c, d, e, f }: Mac): string =>
  `fe80::${group(a ^ 2, b)}:${group(c, 0xff)}:${group(0xfe, d)}:${group(e, f)}`;

export const ADDRESSES = [
  exercise({
    id: 'link-local',
    title: 'From a MAC address to a GID',
    numbers: {
      a: { min: 0x04, max: 0xfc, step: 4 },
      b: { min: 0, max: 255 },
      c: { min: 1, max: 255 },
      d: { min: 0, max: 255 },
      e: { min: 1, max: 255 },
      f: { min: 0, max: 255 },
    },
    text: (n) =>
      `An interface has the MAC address ${macOf(n)}. The GID at index 0 of its RDMA device is the link-local IPv6 address that follows from it by EUI-64. What is that address?`,
    fields: [{ kind: 'text', id: 'gid', label: 'GID', form: 'ipv6', answer: linkLocal }],
    worked: (n) => [
      `Flip the second-lowest bit of the first byte: ${byte(n.a)} becomes ${byte(n.a ^ 2)}.`,
      `Put ff:fe in the middle: ${byte(n.a ^ 2)}:${byte(n.b)}:${byte(n.c)}:ff:fe:${byte(n.d)}:${byte(n.e)}:${byte(n.f)}.`,
      `With the prefix fe80::/64 this gives ${linkLocal(n)}.`,
    ],
    measure: { lab: 'device-facts', text: 'See the GID table of this device.' },
  }),
  exercise({
    id: 'mapped',
    title: 'From an IPv4 address to a GID',
    numbers: { a: [10, 172, 192], b: { min: 0, max: 255 }, c: { min: 0, max: 255 }, d: { min: 1, max: 254 } },
    text: ({ a, b, c, d }) =>
      `An interface has the IPv4 address ${a}.${b}.${c}.${d}. Which GID does it give its RDMA device?`,
    fields: [
      {
        kind: 'text',
        id: 'gid',
        label: 'GID',
        form: 'ipv6',
        answer: ({ a, b, c, d }) => `::ffff:${a}.${b}.${c}.${d}`,
      },
    ],
    worked: ({ a, b, c, d }) => [
      `IPv4 addresses are mapped into IPv6: ten bytes of zero, ff ff, then the four bytes ${[a, b, c, d].map(byte).join(' ')}.`,
      `That is ::ffff:${a}.${b}.${c}.${d}, also written ::ffff:${group(a, b)}:${group(c, d)}.`,
    ],
    measure: { lab: 'device-facts', text: 'See the GID table of this device.' },
  }),
];
