import { header, uint } from '../base/header.js';
import { timeoutText } from '../headers/cm-attributes.js';
import { CM_LENGTH, commIdDocs, privateData, reserved } from './common.js';

/** MRA: the message came, but the answer needs more time. */
export const mra = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM MsgRcptAck (MRA)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.mra.localcommid',
      label: 'Local communication ID',
      hex: 8,
      ours: true,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.mra.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      ours: true,
      doc: commIdDocs.remote,
    }),
    messageMraed: uint(8, 1, {
      name: 'infiniband.cm.mra.msgmraed',
      label: 'Message received',
      mask: 0xc0,
      ours: true,
      text: (v) => `${['REQ', 'REP', 'LAP'][v] ?? 'Reserved'} (${v})`,
      doc: 'Which message is being worked on.',
    }),
    reserved0: reserved(8, 1, 0x3f),
    serviceTimeout: uint(9, 1, {
      name: 'infiniband.cm.mra.svctimeout',
      label: 'Service timeout',
      mask: 0xf8,
      ours: true,
      text: timeoutText,
      doc: 'How much longer the answer may take.',
    }),
    reserved1: reserved(9, 1, 0x07),
    privateData: privateData(10, 'infiniband.cm.mra.private', true),
  },
});
