import { header, uint } from '../base/header.js';

/** UDP ports of VXLAN: IANA's, the older one of Linux, and the one of the Generic Protocol Extension. */
export const VXLAN_PORT = 4789;
export const VXLAN_LINUX_PORT = 8472;
export const VXLAN_GPE_PORT = 4790;

const network = {
  vni: uint(4, 3, {
    name: 'vxlan.vni',
    label: 'Network identifier (VNI)',
    doc: 'Number of the virtual network.',
  }),
  reserved: uint(7, 1, { name: 'vxlan.reserved8', label: 'Reserved', doc: 'Must be zero.' }),
};

/** Virtual eXtensible LAN (RFC 7348): an Ethernet frame in UDP. */
export const vxlan = header({
  id: 'vxlan',
  name: 'vxlan',
  title: 'Virtual eXtensible LAN',
  length: 8,
  fields: {
    flags: uint(0, 2, {
      name: 'vxlan.flags',
      label: 'Flags',
      hex: 4,
      doc: '0x0800 says that the network identifier counts.',
    }),
    group: uint(2, 2, { name: 'vxlan.gbp', label: 'Group policy', doc: 'Group that the sender belongs to.' }),
    ...network,
  },
});

/** Generic Protocol Extension of VXLAN, which can hold IP too. */
export const vxlanGpe = header({
  id: 'vxlan',
  name: 'vxlan',
  title: 'VXLAN Generic Protocol Extension',
  length: 8,
  fields: {
    flags: uint(0, 1, {
      name: 'vxlan.flags',
      label: 'Flags',
      hex: 2,
      doc: '0x08 says that the network identifier counts, 0x04 that the next protocol does.',
    }),
    reserved16: uint(1, 2, { name: 'vxlan.reserved_16', label: 'Reserved', hex: 4, doc: 'Must be zero.' }),
    next: uint(3, 1, {
      name: 'vxlan.next_proto',
      label: 'Next protocol',
      doc: '1 is IPv4, 2 is IPv6, 3 is Ethernet, 5 is MPLS.',
    }),
    ...network,
  },
});
