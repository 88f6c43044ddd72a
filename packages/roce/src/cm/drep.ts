import { header, uint } from '../base/header.js';
import { CM_LENGTH, commIdDocs, privateData } from './common.js';

/** DREP: response to a DREQ. */
export const drep = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM DisconnectReply (DREP)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.drsp.localcommid',
      label: 'Local communication ID',
      hex: 8,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.drsp.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      doc: commIdDocs.remote,
    }),
    privateData: privateData(8, 'infiniband.cm.drsp.private'),
  },
});
