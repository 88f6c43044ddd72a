import { header, uint } from '../base/header.js';
import { CM_LENGTH, privateData, reserved, serviceId } from './common.js';

/** SIDR_REQ: asks which QP serves a service ID, for datagrams. */
export const sidrReq = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM ServiceIDResReq (SIDR_REQ)',
  length: CM_LENGTH,
  fields: {
    requestId: uint(0, 4, {
      name: 'infiniband.cm.sidr_req.requestid',
      label: 'Request ID',
      hex: 8,
      ours: true,
      doc: 'Ties the answer to this request.',
    }),
    pkey: uint(4, 2, {
      name: 'infiniband.cm.sidr_req.pkey',
      label: 'Partition key',
      hex: 4,
      ours: true,
      doc: 'Partition the datagrams will use.',
    }),
    reserved0: reserved(6, 2),
    serviceId: serviceId(8, 'infiniband.cm.sidr_req.serviceid', true),
    privateData: privateData(16, 'infiniband.cm.sidr_req.private', true),
  },
});
