import { byteString, header, uint } from '../base/header.js';
import { sidrStatusText } from '../headers/cm-attributes.js';
import { CM_LENGTH, privateData, reserved, serviceId } from './common.js';

/** SIDR_REP: response to a SIDR_REQ. */
export const sidrRep = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM ServiceIDResReqResp (SIDR_REP)',
  length: CM_LENGTH,
  fields: {
    requestId: uint(0, 4, {
      name: 'infiniband.cm.sidr_rep.requestid',
      label: 'Request ID',
      hex: 8,
      ours: true,
      doc: 'Identifies the request that this answers.',
    }),
    status: uint(4, 1, {
      name: 'infiniband.cm.sidr_rep.status',
      label: 'Status',
      ours: true,
      text: sidrStatusText,
      doc: '0 when the QPN and Q_Key below are valid.',
    }),
    infoLength: uint(5, 1, {
      name: 'infiniband.cm.sidr_rep.infolen',
      label: 'Additional information length',
      ours: true,
      doc: 'How many bytes of the additional information count.',
    }),
    reserved0: reserved(6, 2),
    qpn: uint(8, 3, {
      name: 'infiniband.cm.sidr_rep.qpn',
      label: 'QPN',
      hex: 6,
      ours: true,
      doc: 'Queue pair to send datagrams to.',
    }),
    reserved1: reserved(11, 1),
    serviceId: serviceId(12, 'infiniband.cm.sidr_rep.serviceid', true),
    qkey: uint(20, 4, {
      name: 'infiniband.cm.sidr_rep.qkey',
      label: 'Q_Key',
      hex: 8,
      ours: true,
      doc: 'Queue key to put in those datagrams.',
    }),
    additionalInfo: byteString(24, 72, {
      name: 'infiniband.cm.sidr_rep.info',
      ours: true,
      label: 'Additional information',
      doc: 'More about the status.',
    }),
    privateData: privateData(96, 'infiniband.cm.sidr_rep.private', true),
  },
});
