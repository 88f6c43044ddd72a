// No schemas here: pages name missing capabilities of a device, and must not load a validator for that.

/** Extensions of a device beyond verbs. */
export const EXTENSIONS = [
  'tap',
  'pcap',
  'faults',
  'stamps',
  'engineCpu',
  'counters',
  'pinned',
  'link',
  'shaping',
  'sendPacket',
  'marks',
  'queues',
  'policies',
] as const;
/**
 * Capabilities that only some devices have: extensions and optional parts of verbs. They are found at run time, never
 * guessed from a name.
 */
export const CAPABILITIES = [...EXTENSIONS, 'atomics', 'srq', 'windows'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const CAPABILITY_TEXT: Readonly<Record<Capability, string>> = {
  tap: 'a packet tap',
  pcap: 'its own capture files',
  faults: 'fault injection',
  stamps: 'life-cycle stamps of work requests',
  engineCpu: 'CPU accounting of NIC work',
  counters: 'device counters',
  pinned: 'accounting of pinned memory',
  link: 'a choice of link for each queue pair',
  shaping: 'a longer and slower link',
  sendPacket: 'sending packets of one’s own making',
  marks: 'ECN marks and CNPs',
  queues: 'the occupancy of its queues',
  policies: 'a choice of recovery and congestion control for each queue pair',
  atomics: 'atomic operations',
  srq: 'shared receive queues',
  windows: 'memory windows',
};
