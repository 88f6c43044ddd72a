import { byteString, header, uint } from '../base/header.js';
import { CM_LENGTH, commIdDocs, privateData, reserved } from './common.js';

/** APR: response to a LAP. */
export const apr = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM AlternatePathResponse (APR)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.apr.localcommid',
      label: 'Local communication ID',
      hex: 8,
      ours: true,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.apr.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      ours: true,
      doc: commIdDocs.remote,
    }),
    infoLength: uint(8, 1, {
      name: 'infiniband.cm.apr.infolen',
      label: 'Additional information length',
      ours: true,
      doc: 'How many bytes of the additional information count.',
    }),
    status: uint(9, 1, {
      name: 'infiniband.cm.apr.status',
      label: 'Status',
      ours: true,
      doc: '0 when the path was loaded.',
    }),
    reserved0: reserved(10, 2),
    additionalInfo: byteString(12, 72, {
      name: 'infiniband.cm.apr.info',
      ours: true,
      label: 'Additional information',
      doc: 'More about the status.',
    }),
    privateData: privateData(84, 'infiniband.cm.apr.private', true),
  },
});
