import type { LineRule } from './rule.js';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  hca_id: 'The name by which programs open the device (-d).',
  transport: 'The family of the verbs. Devices for RoCE report InfiniBand too: they share its transport.',
  fw_ver: 'Version of the firmware. The embedded device gives its own version.',
  node_guid: 'A 64-bit number that names the device.',
  sys_image_guid: 'The same for all devices on one card.',
  vendor_id: 'The manufacturer’s OUI. perftest picks tuned defaults by it.',
  vendor_part_id: 'The model.',
  hw_ver: 'Revision of the hardware.',
  phys_port_cnt: 'Ports of the device.',
  port: 'What follows is about this port.',
  state:
    'Only an ACTIVE port carries packets. INIT on InfiniBand means that no subnet manager has configured it yet.',
  max_mtu: 'The largest path MTU that the port can have.',
  active_mtu:
    'The path MTU in use: payload of a packet at most. The number in parentheses is the enum of verbs.',
  sm_lid: 'Address of the subnet manager. RoCE has none, so it is 0.',
  port_lid: 'InfiniBand’s local address. RoCE uses GIDs, so it is 0.',
  port_lmc: 'How many low bits of the LID are free. Not used by RoCE.',
  link_layer: 'Ethernet makes it RoCE. With InfiniBand, the LIDs above count.',
  max_mr_size: 'The largest memory region, in bytes.',
  max_qp: 'QPs that can exist at once.',
  max_qp_wr: 'Work requests that one queue of a QP can hold.',
  max_sge: 'Scatter/gather elements of one work request.',
  max_cq: 'CQs that can exist at once.',
  max_cqe: 'Completions that one CQ can hold.',
  max_mr: 'Memory regions that can exist at once.',
  max_pd: 'Protection domains that can exist at once.',
  max_qp_rd_atom: 'READs and atomics that a QP serves at once for its peer. More wait at the initiator.',
  max_qp_init_rd_atom: 'READs and atomics that a QP may have outstanding itself.',
  atomic_cap: 'Whether atomics are atomic among the QPs of this device (HCA) or with the CPU too (GLOB).',
  max_mw: 'Memory windows that can exist at once.',
  max_mcast_grp: 'Multicast groups that QPs can be attached to.',
  max_ah: 'Address handles that can exist at once.',
  max_srq: 'Shared receive queues that can exist at once.',
  max_srq_wr: 'Receives that one SRQ can hold.',
  max_pkeys: 'Partition keys of a port at most. RoCE usually uses only the default one.',
  local_ca_ack_delay: 'How long the device may take to acknowledge: 4.096 µs × 2^n.',
  device_cap_flags: 'What the device can do beyond the basics, one flag per line.',
};

export const DEVINFO_RULES: readonly LineRule[] = [
  {
    line: /^\s*GID\[\s*\d+\]:/,
    meaning: 'An address of the port. The index is what -g and -x choose; ::ffff: means an IPv4 address.',
  },
  {
    line: /^\s*([a-z_]+):\s/,
    meaning: ([, name = '']) => (ATTRIBUTES[name] === undefined ? null : { text: ATTRIBUTES[name] }),
  },
  {
    line: /^\s*([a-z_]+):$/,
    meaning: ([, name = '']) => (ATTRIBUTES[name] ? { text: ATTRIBUTES[name] } : null),
  },
];

export const DEVICES_RULES: readonly LineRule[] = [
  { line: /^\s*device\s+node GUID/, meaning: 'Name of each device, and its GUID.' },
  { line: /^\s*\w+\s+[0-9a-f]{16}$/, meaning: 'A device that a program can open by this name.' },
];

export const ASYNCWATCH_RULES: readonly LineRule[] = [
  {
    line: /async event FD/,
    meaning:
      'The device is open. Its events can be read from this file descriptor, so a program can poll() it.',
  },
  {
    line: /event_type (\S+)/,
    meaning:
      'The device reported an event by itself: its type and, if it is about a port, the port. For other events that number means nothing.',
  },
];
