import { header, ipv4Address, ipv6Address, uint } from '../base/header.js';
import type { FieldDef } from '../base/header.js';

export const IP_CM_LENGTH = 36;

function ipField(offset: number, which: 'sip' | 'dip', label: string, doc: string): FieldDef<string> {
  const name = `infiniband.cm.req.ip_cm.${which}`;
  return ipv6Address(offset, {
    name: `${name}6`,
    label,
    doc,
    // The version is the upper half of byte 1; an IPv4 address takes the last four of the sixteen bytes.
    parts: (_value, b, h) =>
      b[h + 1]! >>> 4 === 4 ? [ipv4Address(offset + 12, { name: `${name}4`, label, doc })] : [],
  });
}

/**
 * IP addressing that librdmacm puts at the start of the private data of a REQ or SIDR_REQ (annex A11), so that
 * a listener bound to an IP address knows who calls.
 */
export const ipCm = header({
  id: 'ipcm',
  name: 'infiniband.cm.req.ip_cm',
  title: 'IP CM Private Data',
  length: IP_CM_LENGTH,
  fields: {
    majorVersion: uint(0, 1, {
      name: 'infiniband.cm.req.ip_cm.majv',
      label: 'Major version',
      mask: 0xf0,
      doc: 'Version of this format; 0.',
    }),
    minorVersion: uint(0, 1, {
      name: 'infiniband.cm.req.ip_cm.minv',
      label: 'Minor version',
      mask: 0x0f,
      doc: 'Version of this format; 0.',
    }),
    ipVersion: uint(1, 1, {
      name: 'infiniband.cm.req.ip_cm.ipv',
      label: 'IP version',
      mask: 0xf0,
      doc: '4 or 6: the kind of the addresses below.',
    }),
    reserved: uint(1, 1, {
      name: 'infiniband.cm.req.ip_cm.reserved',
      label: 'Reserved',
      mask: 0x0f,
      doc: 'Must be zero.',
    }),
    srcPort: uint(2, 2, {
      name: 'infiniband.cm.req.ip_cm.sport',
      label: 'Source port',
      doc: 'Port of the caller in the RDMA port space.',
    }),
    src: ipField(4, 'sip', 'Source IP', 'IP address of the caller.'),
    dst: ipField(20, 'dip', 'Destination IP', 'IP address that is called.'),
  },
});
