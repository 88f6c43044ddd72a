import { byteString, header, uint } from '../base/header.js';
import { etherTypeText } from './ethernet.js';

const PACKET_TYPES = ['Sent to us', 'Broadcast', 'Multicast', 'Sent to another host', 'Sent by us'];
const packetType = (v: number) => `${PACKET_TYPES[v] ?? 'Unknown'} (${v})`;

/** Linux cooked capture, version 1: the link header of captures on the "any" interface in place of Ethernet. */
export const sll = header({
  id: 'sll',
  name: 'sll',
  title: 'Linux cooked capture v1',
  length: 16,
  fields: {
    packetType: uint(0, 2, {
      name: 'sll.pkttype',
      label: 'Packet type',
      text: packetType,
      doc: 'Whether the packet was coming in, going out or only seen.',
    }),
    hardwareType: uint(2, 2, {
      name: 'sll.hatype',
      label: 'Link-layer address type',
      doc: 'ARPHRD number of the interface: 1 is Ethernet, 772 is loopback.',
    }),
    addressLength: uint(4, 2, {
      name: 'sll.halen',
      label: 'Link-layer address length',
      doc: 'Length of the sender’s address. The address field holds at most its first 8 bytes.',
    }),
    address: byteString(6, 8, {
      name: 'sll.src.address',
      ours: true,
      label: 'Source',
      doc: 'Link-layer address of the sender, padded or cut to eight bytes.',
    }),
    protocol: uint(14, 2, {
      name: 'sll.etype',
      label: 'Protocol',
      text: etherTypeText,
      doc: 'What follows.',
    }),
  },
});

/** Linux cooked capture, version 2. */
export const sll2 = header({
  id: 'sll2',
  name: 'sll',
  title: 'Linux cooked capture v2',
  length: 20,
  fields: {
    protocol: uint(0, 2, { name: 'sll.etype', label: 'Protocol', text: etherTypeText, doc: 'What follows.' }),
    reserved: uint(2, 2, {
      name: 'sll.reserved',
      ours: true,
      label: 'Reserved',
      hex: 4,
      doc: 'Must be zero.',
    }),
    interfaceIndex: uint(4, 4, {
      name: 'sll.ifindex',
      label: 'Interface index',
      doc: 'Number of the interface the packet passed.',
    }),
    hardwareType: uint(8, 2, {
      name: 'sll.hatype',
      label: 'Link-layer address type',
      doc: 'ARPHRD number of the interface: 1 is Ethernet, 772 is loopback.',
    }),
    packetType: uint(10, 1, {
      name: 'sll.pkttype',
      label: 'Packet type',
      text: packetType,
      doc: 'Whether the packet was coming in, going out or only seen.',
    }),
    addressLength: uint(11, 1, {
      name: 'sll.halen',
      label: 'Link-layer address length',
      doc: 'Length of the sender’s address. The address field holds at most its first 8 bytes.',
    }),
    address: byteString(12, 8, {
      name: 'sll.src.address',
      ours: true,
      label: 'Source',
      doc: 'Link-layer address of the sender, padded or cut to eight bytes.',
    }),
  },
});
