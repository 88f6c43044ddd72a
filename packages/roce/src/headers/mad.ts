import { hexNumber } from '../base/bytes.js';
import { cmMessageName } from './cm-attributes.js';
import { header, uint, uint64 } from '../base/header.js';

/** Bytes of the header of a management datagram. */
export const MAD_HEADER_LENGTH = 24;
export const CM_CLASS = 0x07;

const CLASSES: Record<number, string> = {
  0x01: 'Subnet management, LID routed',
  0x03: 'Subnet administration',
  0x04: 'Performance management',
  0x07: 'Communication management',
  0x81: 'Subnet management, directed route',
};
const METHODS: Record<number, string> = {
  0x01: 'Get',
  0x02: 'Set',
  0x03: 'Send',
  0x05: 'Trap',
  0x06: 'Report',
  0x07: 'TrapRepress',
  0x81: 'GetResp',
};
const named = (names: Record<number, string>, digits: number) => (v: number) =>
  `${names[v] ?? 'Unknown'} (${hexNumber(v, digits)})`;

/** Common header of management datagrams (MADs), which travel to QP0 and QP1. */
export const mad = header({
  id: 'mad',
  name: 'infiniband.mad',
  title: 'Management Datagram Header',
  length: MAD_HEADER_LENGTH,
  fields: {
    baseVersion: uint(0, 1, {
      name: 'infiniband.mad.baseversion',
      label: 'Base version',
      hex: 2,
      doc: 'Version of the MAD format; 1.',
    }),
    managementClass: uint(1, 1, {
      name: 'infiniband.mad.mgmtclass',
      label: 'Management class',
      text: named(CLASSES, 2),
      doc: 'Which manager the datagram is for; 7 is connection management.',
    }),
    classVersion: uint(2, 1, {
      name: 'infiniband.mad.classversion',
      label: 'Class version',
      hex: 2,
      doc: 'Version of that class; 2 for connection management.',
    }),
    method: uint(3, 1, {
      name: 'infiniband.mad.method',
      label: 'Method',
      text: named(METHODS, 2),
      doc: 'Kind of request; Send for all messages that make or end connections.',
    }),
    status: uint(4, 2, {
      name: 'infiniband.mad.status',
      label: 'Status',
      hex: 4,
      doc: 'Result of a Get or Set.',
    }),
    classSpecific: uint(6, 2, {
      name: 'infiniband.mad.classspecific',
      label: 'Class specific',
      hex: 4,
      doc: 'Free for the class; unused by connection management.',
    }),
    transactionId: uint64(8, {
      name: 'infiniband.mad.transactionid',
      label: 'Transaction ID',
      doc: 'Ties the datagrams of one exchange together.',
    }),
    attributeId: uint(16, 2, {
      name: 'infiniband.mad.attributeid',
      label: 'Attribute ID',
      text: (v) => `${cmMessageName(v) ?? 'Attribute'} (${hexNumber(v, 4)})`,
      doc: 'Which message follows: 0x10 is a connection request, 0x13 its reply.',
    }),
    reserved: uint(18, 2, { name: 'infiniband.reserved', label: 'Reserved', hex: 4, doc: 'Must be zero.' }),
    attributeModifier: uint(20, 4, {
      name: 'infiniband.mad.attributemodifier',
      label: 'Attribute modifier',
      hex: 8,
      doc: 'Unused by connection management.',
    }),
  },
});
