import { flag, header, uint } from '../base/header.js';
import { protocolText } from './ip.js';

const nextDoc = 'What follows this extension header.';
const lengthDoc = 'Length in units of 8 bytes, without the first 8.';

/** Extension headers of IPv6: options and routes come in front of UDP. Their contents are not decoded. */
const extension = (name: 'hopopts' | 'dstopts' | 'routing', title: string) =>
  header({
    id: 'ipv6ext',
    name: `ipv6.${name}`,
    title,
    length: 2,
    fields: {
      next: uint(0, 1, { name: `ipv6.${name}.nxt`, label: 'Next header', text: protocolText, doc: nextDoc }),
      units: uint(1, 1, { name: `ipv6.${name}.len`, label: 'Length', doc: lengthDoc }),
    },
  });

export const ipv6HopOptions = extension('hopopts', 'IPv6 hop-by-hop options');
export const ipv6DestinationOptions = extension('dstopts', 'IPv6 destination options');

export const ipv6Routing = header({
  id: 'ipv6ext',
  name: 'ipv6.routing',
  title: 'IPv6 routing header',
  length: 4,
  fields: {
    next: uint(0, 1, { name: 'ipv6.routing.nxt', label: 'Next header', text: protocolText, doc: nextDoc }),
    units: uint(1, 1, { name: 'ipv6.routing.len', label: 'Length', doc: lengthDoc }),
    type: uint(2, 1, { name: 'ipv6.routing.type', label: 'Type', doc: '4 is segment routing (SRv6).' }),
    left: uint(3, 1, {
      name: 'ipv6.routing.segleft',
      label: 'Segments left',
      doc: 'Stations that the packet has still to pass.',
    }),
  },
});

export const ipv6Fragment = header({
  id: 'ipv6ext',
  name: 'ipv6.fraghdr',
  title: 'IPv6 fragment header',
  length: 8,
  fields: {
    next: uint(0, 1, { name: 'ipv6.fraghdr.nxt', label: 'Next header', text: protocolText, doc: nextDoc }),
    reserved: uint(1, 1, { name: 'ipv6.fraghdr.reserved_octet', label: 'Reserved', doc: 'Must be zero.' }),
    fragmentOffset: uint(2, 2, {
      name: 'ipv6.fraghdr.offset',
      label: 'Offset',
      mask: 0xfff8,
      text: (v) => String(v * 8),
      doc: 'Place of this fragment in the datagram.',
    }),
    reservedBits: uint(2, 2, {
      name: 'ipv6.fraghdr.reserved_bits',
      label: 'Reserved',
      mask: 0x6,
      doc: 'Must be zero.',
    }),
    more: flag(2, 2, {
      name: 'ipv6.fraghdr.more',
      label: 'More fragments',
      mask: 0x1,
      doc: 'Set on every fragment but the last.',
    }),
    id: uint(4, 4, {
      name: 'ipv6.fraghdr.ident',
      label: 'Identification',
      hex: 8,
      doc: 'Number of the datagram that this is a part of.',
    }),
  },
});
