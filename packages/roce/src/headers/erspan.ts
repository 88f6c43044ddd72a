import { flag, header, uint } from '../base/header.js';

const fields = {
  version: uint(0, 2, {
    name: 'erspan.version',
    label: 'Version',
    mask: 0xf000,
    doc: '1 is type II, 2 is type III.',
  }),
  vlan: uint(0, 2, { name: 'erspan.vlan', label: 'VLAN', mask: 0x0fff, doc: 'VLAN of the mirrored packet.' }),
  cos: uint(2, 2, {
    name: 'erspan.cos',
    label: 'Class of service',
    mask: 0xe000,
    doc: 'Priority that the mirrored packet had.',
  }),
  truncated: flag(2, 2, {
    name: 'erspan.truncated',
    label: 'Truncated',
    mask: 0x0400,
    doc: 'The switch mirrored only the beginning of the packet.',
  }),
  session: uint(2, 2, {
    name: 'erspan.spanid',
    label: 'Session',
    mask: 0x03ff,
    doc: 'Number of the mirror session of the switch.',
  }),
};

/** Cisco ERSPAN type II: a frame that a switch mirrors through GRE. */
export const erspan2 = header({
  id: 'erspan',
  name: 'erspan',
  title: 'ERSPAN type II',
  length: 8,
  fields: {
    ...fields,
    encapsulation: uint(2, 2, {
      name: 'erspan.encap',
      label: 'Encapsulation',
      mask: 0x1800,
      doc: 'How the VLAN tag of the mirrored packet was kept.',
    }),
    reserved: uint(4, 4, {
      name: 'erspan.reserved',
      label: 'Reserved',
      mask: 0xfff00000,
      doc: 'Must be zero.',
    }),
    index: uint(4, 4, {
      name: 'erspan.index',
      label: 'Port index',
      mask: 0x000fffff,
      doc: 'Port and direction that was mirrored.',
    }),
  },
});

/** ERSPAN type III; 8 more bytes follow if the last bit is set. */
export const erspan3 = header({
  id: 'erspan',
  name: 'erspan',
  title: 'ERSPAN type III',
  length: 12,
  fields: {
    ...fields,
    bad: uint(2, 2, {
      name: 'erspan.bso',
      label: 'Bad, short or oversized',
      mask: 0x1800,
      doc: 'Whether the mirrored frame was whole.',
    }),
    timestamp: uint(4, 4, {
      name: 'erspan.timestamp',
      label: 'Time',
      doc: 'Clock of the switch when it mirrored the packet.',
    }),
    group: uint(8, 2, {
      name: 'erspan.sgt',
      label: 'Security group',
      doc: 'Group that the sender belongs to.',
    }),
    isProtocol: uint(10, 2, {
      name: 'erspan.p',
      label: 'Ethernet frame',
      mask: 0x8000,
      doc: 'An Ethernet frame follows.',
    }),
    frameType: uint(10, 2, {
      name: 'erspan.ft',
      label: 'Frame type',
      mask: 0x7c00,
      doc: '0 is Ethernet, 2 is IP.',
    }),
    hardware: uint(10, 2, {
      name: 'erspan.hw',
      label: 'Hardware',
      mask: 0x03f0,
      doc: 'Part of the switch that mirrored the packet.',
    }),
    direction: flag(10, 2, {
      name: 'erspan.direction',
      label: 'Direction',
      mask: 0x0008,
      doc: 'Set for packets that left the mirrored port.',
    }),
    granularity: uint(10, 2, {
      name: 'erspan.gra',
      label: 'Time unit',
      mask: 0x0006,
      doc: 'Unit of the time.',
    }),
    more: uint(10, 2, {
      name: 'erspan.o',
      label: 'Platform header',
      mask: 0x0001,
      doc: '8 more bytes follow.',
    }),
  },
});
