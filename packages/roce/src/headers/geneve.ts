import { flag, header, uint } from '../base/header.js';
import { etherTypeText } from './ethernet.js';

export const GENEVE_PORT = 6081;

/** Generic Network Virtualization Encapsulation (RFC 8926) without its options. */
export const geneve = header({
  id: 'geneve',
  name: 'geneve',
  title: 'Generic Network Virtualization Encapsulation',
  length: 8,
  fields: {
    version: uint(0, 1, { name: 'geneve.version', label: 'Version', mask: 0xc0, doc: 'Always 0.' }),
    optionWords: uint(0, 1, {
      name: 'geneve.options_length',
      ours: true,
      label: 'Length of options',
      mask: 0x3f,
      text: (v) => `${v * 4} bytes (${v})`,
      doc: 'Length of the options in four-byte words.',
    }),
    control: flag(1, 1, {
      name: 'geneve.flags.oam',
      label: 'Control packet',
      mask: 0x80,
      doc: 'A packet between the ends of the tunnel.',
    }),
    critical: flag(1, 1, {
      name: 'geneve.flags.critical',
      label: 'Critical options',
      mask: 0x40,
      doc: 'An option that the receiver must understand.',
    }),
    reservedFlags: uint(1, 1, {
      name: 'geneve.flags.reserved',
      label: 'Reserved',
      mask: 0x3f,
      doc: 'Must be zero.',
    }),
    protocol: uint(2, 2, {
      name: 'geneve.proto_type',
      label: 'Protocol',
      text: etherTypeText,
      doc: 'What follows.',
    }),
    vni: uint(4, 3, {
      name: 'geneve.vni',
      label: 'Network identifier (VNI)',
      doc: 'Number of the virtual network.',
    }),
    reserved: uint(7, 1, { name: 'geneve.reserved', label: 'Reserved', doc: 'Must be zero.' }),
  },
});
