import { flag, header, uint } from '../base/header.js';
import { etherTypeText } from './ethernet.js';

/** Generic Routing Encapsulation (RFC 2784, 2890): switches mirror packets in it, and overlays carry them. */
export const gre = header({
  id: 'gre',
  name: 'gre',
  title: 'Generic Routing Encapsulation',
  length: 4,
  fields: {
    hasChecksum: flag(0, 2, {
      name: 'gre.flags.checksum',
      label: 'Checksum present',
      mask: 0x8000,
      doc: 'A checksum follows.',
    }),
    hasRouting: flag(0, 2, {
      name: 'gre.flags.routing',
      label: 'Routing present',
      mask: 0x4000,
      doc: 'Source routing, which nobody uses any more.',
    }),
    hasKey: flag(0, 2, { name: 'gre.flags.key', label: 'Key present', mask: 0x2000, doc: 'A key follows.' }),
    hasSequence: flag(0, 2, {
      name: 'gre.flags.sequence_number',
      label: 'Sequence number present',
      mask: 0x1000,
      doc: 'A sequence number follows.',
    }),
    strictRoute: flag(0, 2, {
      name: 'gre.flags.strict_source_route',
      label: 'Strict source route',
      mask: 0x0800,
      doc: 'Part of source routing.',
    }),
    recursion: uint(0, 2, {
      name: 'gre.flags.recursion_control',
      label: 'Recursion control',
      mask: 0x0700,
      doc: 'How many more times the packet may be encapsulated.',
    }),
    reserved: uint(0, 2, {
      name: 'gre.flags.reserved',
      label: 'Reserved',
      mask: 0x00f8,
      doc: 'Must be zero.',
    }),
    version: uint(0, 2, { name: 'gre.flags.version', label: 'Version', mask: 0x0007, doc: 'Always 0.' }),
    protocol: uint(2, 2, { name: 'gre.proto', label: 'Protocol', text: etherTypeText, doc: 'What follows.' }),
  },
});

export const greChecksum = header({
  id: 'gre',
  name: 'gre',
  title: 'GRE checksum',
  length: 4,
  fields: {
    checksum: uint(0, 2, {
      name: 'gre.checksum',
      label: 'Checksum',
      hex: 4,
      doc: 'Checksum of the GRE header and what follows.',
    }),
    reserved: uint(2, 2, {
      name: 'gre.reserved1',
      ours: true,
      label: 'Reserved',
      hex: 4,
      doc: 'Must be zero.',
    }),
  },
});

export const greKey = header({
  id: 'gre',
  name: 'gre',
  title: 'GRE key',
  length: 4,
  fields: {
    key: uint(0, 4, { name: 'gre.key', label: 'Key', hex: 8, doc: 'Number that tells tunnels apart.' }),
  },
});

export const greSequence = header({
  id: 'gre',
  name: 'gre',
  title: 'GRE sequence number',
  length: 4,
  fields: {
    sequence: uint(0, 4, {
      name: 'gre.sequence_number',
      label: 'Sequence number',
      doc: 'Counts the packets of the tunnel; a jump means that packets are missing or came in another order.',
    }),
  },
});
