import { header, uint } from '../base/header.js';

/** Header of BSD's and macOS's loopback interfaces in place of Ethernet, in the host's byte order or big-endian. */
export const loopback = header({
  id: 'loopback',
  name: 'null',
  title: 'Loopback header',
  length: 4,
  fields: {
    family: uint(0, 4, {
      name: 'null.address_family',
      ours: true,
      label: 'Address family',
      hex: 8,
      doc: '2 is IPv4; 10, 24, 28 and 30 are IPv6. In the byte order of the host that captured, or big-endian (OpenBSD).',
    }),
  },
});
