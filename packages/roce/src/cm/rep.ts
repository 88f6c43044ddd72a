import { hexNumber } from '../base/bytes.js';
import { header, uint, uint64 } from '../base/header.js';
import { timeoutText } from '../headers/cm-attributes.js';
import { CM_LENGTH, commIdDocs, privateData, reserved } from './common.js';

/** REP: accepts a connection. */
export const rep = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM ConnectReply (REP)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.rep',
      label: 'Local communication ID',
      hex: 8,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.rep.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      doc: commIdDocs.remote,
    }),
    localQkey: uint(8, 4, {
      name: 'infiniband.cm.rep.localqkey',
      label: 'Local Q_Key',
      hex: 8,
      doc: 'Queue key, for datagram services.',
    }),
    localQpn: uint(12, 3, {
      name: 'infiniband.cm.rep.localqpn',
      label: 'Local QPN',
      hex: 6,
      doc: 'Queue pair of the listener: the requester sends to it.',
    }),
    reserved0: reserved(15, 1),
    localEecn: uint(16, 3, {
      name: 'infiniband.cm.rep.localeecn',
      label: 'Local EE context number',
      hex: 6,
      doc: 'End-to-end context; reliable datagrams only.',
    }),
    reserved1: reserved(19, 1),
    startingPsn: uint(20, 3, {
      name: 'infiniband.cm.rep.startpsn',
      label: 'Starting PSN',
      text: (v) => `${v} (${hexNumber(v, 6)})`,
      doc: 'PSN of the first packet that the requester will send.',
    }),
    reserved2: reserved(23, 1),
    responderResources: uint(24, 1, {
      name: 'infiniband.cm.rep.respres',
      label: 'Responder resources',
      doc: 'How many READs and atomics of the peer the listener will serve at the same time.',
    }),
    initiatorDepth: uint(25, 1, {
      name: 'infiniband.cm.rep.initdepth',
      label: 'Initiator depth',
      doc: 'How many READs and atomics the listener will have outstanding.',
    }),
    targetAckDelay: uint(26, 1, {
      name: 'infiniband.cm.rep.tgtackdelay',
      label: 'Target ACK delay',
      mask: 0xf8,
      text: timeoutText,
      doc: 'How long the listener may take to send an ACK.',
    }),
    failoverAccepted: uint(26, 1, {
      name: 'infiniband.cm.rep.failoveracc',
      label: 'Failover accepted',
      mask: 0x06,
      doc: 'Whether the alternate path was accepted.',
    }),
    flowControl: uint(26, 1, {
      name: 'infiniband.cm.rep.e2eflowctrl',
      label: 'End-to-end flow control',
      mask: 0x01,
      doc: '1 when the listener gives credits in its ACKs.',
    }),
    rnrRetryCount: uint(27, 1, {
      name: 'infiniband.cm.rep.rnrretrcount',
      label: 'RNR retry count',
      mask: 0xe0,
      doc: 'How many times a request is retried after a receiver-not-ready NAK; 7 means forever.',
    }),
    srq: uint(27, 1, {
      name: 'infiniband.cm.rep.srq',
      label: 'SRQ',
      mask: 0x10,
      doc: '1 when the QP takes its receives from a shared receive queue.',
    }),
    reserved3: uint(27, 1, {
      name: 'infiniband.cm.rep.reserved',
      label: 'Reserved',
      mask: 0x0f,
      doc: 'Must be zero.',
    }),
    localCaGuid: uint64(28, {
      name: 'infiniband.cm.rep.localcaguid',
      label: 'Local CA GUID',
      doc: 'Identifier of the adapter of the listener.',
    }),
    privateData: privateData(36, 'infiniband.cm.rep.private'),
  },
});
