import { flag, header, uint } from '../base/header.js';

/** An entry of an MPLS label stack. */
export const mpls = header({
  id: 'mpls',
  name: 'mpls',
  title: 'MPLS label',
  length: 4,
  fields: {
    label: uint(0, 3, {
      name: 'mpls.label',
      label: 'Label',
      mask: 0xfffff0,
      doc: 'What the next router forwards the packet by.',
    }),
    trafficClass: uint(2, 1, {
      name: 'mpls.exp',
      label: 'Traffic class',
      mask: 0x0e,
      doc: 'Class of service inside the MPLS network.',
    }),
    bottom: flag(2, 1, {
      name: 'mpls.bottom',
      label: 'Bottom of stack',
      mask: 0x01,
      doc: 'Set on the last label: the packet follows.',
    }),
    ttl: uint(3, 1, {
      name: 'mpls.ttl',
      label: 'Time to live',
      doc: 'Routers left before the packet is dropped.',
    }),
  },
});
