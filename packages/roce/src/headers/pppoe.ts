import { header, uint } from '../base/header.js';

/** PPP over Ethernet, session stage; the PPP protocol number follows. */
export const pppoe = header({
  id: 'pppoe',
  name: 'pppoes',
  title: 'PPP over Ethernet session',
  length: 6,
  fields: {
    version: uint(0, 1, { name: 'pppoe.version', label: 'Version', mask: 0xf0, doc: 'Always 1.' }),
    type: uint(0, 1, { name: 'pppoe.type', label: 'Type', mask: 0x0f, doc: 'Always 1.' }),
    code: uint(1, 1, { name: 'pppoe.code', label: 'Code', doc: '0 in a session.' }),
    session: uint(2, 2, { name: 'pppoe.session_id', label: 'Session', doc: 'Number of the session.' }),
    length: uint(4, 2, {
      name: 'pppoe.payload_length',
      label: 'Payload length',
      doc: 'Bytes after this header.',
    }),
  },
});

export const ppp = header({
  id: 'ppp',
  name: 'ppp',
  title: 'Point-to-Point Protocol',
  length: 2,
  fields: {
    protocol: uint(0, 2, {
      name: 'ppp.protocol',
      label: 'Protocol',
      hex: 4,
      doc: 'What follows: 0x0021 is IPv4, 0x0057 is IPv6.',
    }),
  },
});
