/** The words of the field, one or two sentences each. */
export const TERMS = {
  qp: {
    term: 'QP',
    meaning: 'Queue pair: a send queue and a receive queue, the RDMA counterpart of a socket.',
  },
  cq: { term: 'CQ', meaning: 'Completion queue: where the device reports finished work requests.' },
  cqe: { term: 'CQE', meaning: 'Completion queue entry: one line that says how a work request ended.' },
  wr: { term: 'WR', meaning: 'Work request: one order to the device, posted to a queue.' },
  mr: {
    term: 'MR',
    meaning: 'Memory region: memory registered with the device, with keys that grant access to it.',
  },
  pd: { term: 'PD', meaning: 'Protection domain: QPs and memory regions work together only inside one.' },
  psn: {
    term: 'PSN',
    meaning: 'Packet sequence number: 24 bits, counted per QP and direction, modulo 16,777,216.',
  },
  gid: {
    term: 'GID',
    meaning:
      'Global identifier: 128 bits that name a port. In RoCEv2 it is the IPv6 address, or ::ffff: and the IPv4 address.',
  },
  mtu: {
    term: 'MTU',
    meaning: 'Largest payload of one RDMA packet. Headers are not counted: a 1500-byte link gives 1024.',
  },
  goodput: {
    term: 'Goodput',
    meaning: 'Payload delivered per second. Throughput counts what is on the wire, headers included.',
  },
  rkey: {
    term: 'rkey',
    meaning:
      'Remote key: whoever holds it may reach the memory region from the other side, within its rights.',
  },
  signalled: {
    term: 'Signalled',
    meaning:
      'A signalled work request writes a CQE when it succeeds. An unsignalled one frees its queue slot only when a later signalled one completes.',
  },
  depth: {
    term: 'Depth',
    meaning: 'How many work requests may be outstanding at once (perftest calls it tx-depth).',
  },
  nicWork: {
    term: 'NIC work',
    meaning:
      'CPU time spent doing what an RDMA NIC does in silicon: headers, checksums, acknowledgements, copies to and from the wire.',
  },
  kernelOutside: {
    term: 'Outside',
    meaning:
      'CPU time that the kernels of both machines spent outside of every process: soft interrupts and kernel threads, where rxe does much of its work. Whole machine, whoever caused it.',
  },
  p999: { term: 'p99.9', meaning: 'One operation in a thousand took longer than this.' },
  startup: {
    term: 'Start-up',
    meaning:
      'The first part of a run is shaded and left out of the figures, because it measures connecting and warming up.',
  },
  icrc: {
    term: 'ICRC',
    meaning:
      'Invariant CRC: 4 bytes at the end of each packet over all fields that may not change on the way.',
  },
  oneSided: {
    term: 'one-sided',
    meaning: 'The target’s application takes no part: it posts nothing and sees no CQE.',
  },
  clockOffset: {
    term: 'Clock offset',
    meaning:
      'How far the other machine’s clock is ahead of this one’s, as an exchange of messages tells. The truth lies within the bound behind the ±.',
  },
  joinString: {
    term: 'Join string',
    meaning: 'One word that holds the other agent’s address, its token and its certificate’s fingerprint.',
  },
  providerClass: {
    term: 'Provider class',
    meaning:
      'What does the transport work: hardware (a NIC), kernel software (rxe, siw), user-space software, or the simulator.',
  },
} as const satisfies Record<string, { term: string; meaning: string }>;

export type TermId = keyof typeof TERMS;
