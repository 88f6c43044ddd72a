import { byteString, header, uint } from '../base/header.js';
import { rejectReasonText } from '../headers/cm-attributes.js';
import { CM_LENGTH, commIdDocs, privateData } from './common.js';

/** REJ: refuses a connection and says why. */
export const rej = header({
  id: 'cm',
  name: 'infiniband.cm',
  title: 'CM ConnectReject (REJ)',
  length: CM_LENGTH,
  fields: {
    localCommId: uint(0, 4, {
      name: 'infiniband.cm.rej.localcommid',
      label: 'Local communication ID',
      hex: 8,
      doc: commIdDocs.local,
    }),
    remoteCommId: uint(4, 4, {
      name: 'infiniband.cm.rej.remotecommid',
      label: 'Remote communication ID',
      hex: 8,
      doc: commIdDocs.remote,
    }),
    messageRejected: uint(8, 1, {
      name: 'infiniband.cm.rej.msgrej',
      label: 'Message rejected',
      mask: 0xc0,
      text: (v) => `${['REQ', 'REP', 'no message'][v] ?? 'Reserved'} (${v})`,
      doc: 'Which message is refused.',
    }),
    reserved0: uint(8, 1, {
      name: 'infiniband.cm.rej.reserved0',
      label: 'Reserved',
      mask: 0x3f,
      doc: 'Must be zero.',
    }),
    infoLength: uint(9, 1, {
      name: 'infiniband.cm.rej.rejinfolen',
      label: 'Reject info length',
      mask: 0xfe,
      doc: 'How many bytes of the additional information count.',
    }),
    reserved1: uint(9, 1, {
      name: 'infiniband.cm.rej.reserved1',
      label: 'Reserved',
      mask: 0x01,
      doc: 'Must be zero.',
    }),
    reason: uint(10, 2, {
      name: 'infiniband.cm.rej.reason',
      label: 'Reason',
      text: rejectReasonText,
      doc: 'Why: 8 means that nothing listens at that service ID, 28 that the application rejected the request.',
    }),
    additionalInfo: byteString(12, 72, {
      name: 'infiniband.cm.rej.ari',
      label: 'Additional reject information',
      doc: 'More about the reason, such as a value that would be acceptable.',
    }),
    privateData: privateData(84, 'infiniband.cm.rej.private'),
  },
});
