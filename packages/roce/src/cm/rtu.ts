import { header, uint } from '../base/header.js';
import { CM_LENGTH, commIdDocs, privateData } from './common.js';

/** RTU: the requester has seen the reply and is ready. */
export const rtu = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM ReadyToUse (RTU)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.rtu.localcommid',
      label: 'Local communication ID',
      hex: 8,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.rtu.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      doc: commIdDocs.remote,
    }),
    privateData: privateData(8, 'infiniband.cm.rtu.private'),
  },
});
