import { header, uint } from '../base/header.js';
import { CM_LENGTH, commIdDocs, privateData, reserved } from './common.js';

/** DREQ: ends a connection. */
export const dreq = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM DisconnectRequest (DREQ)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.dreq.localcommid',
      label: 'Local communication ID',
      hex: 8,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.dreq.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      doc: commIdDocs.remote,
    }),
    remoteQpn: uint(8, 3, {
      name: 'infiniband.cm.req.remoteqpneecn',
      label: 'Remote QPN',
      hex: 6,
      doc: 'Queue pair of the receiver of this message.',
    }),
    reserved0: reserved(11, 1),
    privateData: privateData(12, 'infiniband.cm.dreq.private'),
  },
});
