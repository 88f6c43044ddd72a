import { flag, header, uint } from '../base/header.js';
import { etherTypeText } from './ethernet.js';

/** 802.1Q tag: the four bytes after an EtherType of 0x8100 or 0x88a8. */
export const vlan = header({
  id: 'vlan',
  name: 'vlan',
  title: '802.1Q Virtual LAN',
  length: 4,
  fields: {
    priority: uint(0, 2, {
      name: 'vlan.priority',
      label: 'Priority',
      mask: 0xe000,
      doc: 'Priority class 0 to 7; priority flow control pauses each class by itself, which is how lossless RoCE networks avoid loss.',
    }),
    dei: flag(0, 2, {
      name: 'vlan.dei',
      label: 'Drop eligible',
      mask: 0x1000,
      doc: 'A switch that must drop frames may drop those with this bit first.',
    }),
    id: uint(0, 2, { name: 'vlan.id', label: 'VLAN ID', mask: 0x0fff, doc: 'Number of the virtual LAN.' }),
    type: uint(2, 2, {
      name: 'vlan.etype',
      label: 'Type',
      text: etherTypeText,
      doc: 'What follows the tag.',
    }),
  },
});
