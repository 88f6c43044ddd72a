/** Result of each lab of the catalog on the kernel's rxe, between two machines with emulated processors. */
import type { INSTRUMENTED } from './instruments.js';

/** A run with small parameters. Every check that is not listed here applies and passes. */
export interface OnRxe {
  params?: Record<string, string | number | boolean>;
  /** Checks that do not apply, with a part of the run's own reason. */
  without?: Readonly<Record<string, string>>;
  /** Checks that do not apply in some runs, depending on the speed of the host, with the reason. */
  sometimesWithout?: Readonly<Record<string, string>>;
  /**
   * Checks that rxe of Linux 6.1 fails because it differs from the specification or from other devices, with the
   * difference.
   */
  differs?: Readonly<Record<string, string>>;
}

/** A lab that instruments.ts runs and checks in more detail. */
export interface Elsewhere {
  instrumented: true;
}

type Instrumented = Record<(typeof INSTRUMENTED)[number], Elsewhere>;

const instrumented: Instrumented = { 'minimal-flow': { instrumented: true }, bulk: { instrumented: true } };

/** Labs that the tests of every change run. All labs take ten minutes, so `npm run nightly` runs them. */
export const EVERY_CHANGE: readonly string[] = [
  'connection-manager',
  'three-contracts',
  'ud-grh',
  'multicast',
];

/** Parameters of a single round of a short measurement. */
const SHORT = { duration: 100, repeat: 1 };

const NO_FAULTS = 'no fault injection';
const NO_SHM = 'Shared memory was not measured';
const NO_RETRANSMITTED = 'does not count retransmitted packets';
const FREED_TOO_SOON = 'This device freed slots faster than the client posted';

const FREED_BY_ACK = 'This device frees a slot when the peer acknowledges the request';

const NO_ACCESS_EVENT = 'rxe raises no QP_ACCESS_ERR at the responder.';
const TOO_LONG =
  'A SEND longer than its RECV gives REM_OP_ERR (11) and LOC_QP_OP_ERR (2), not REM_INV_REQ_ERR (9) and LOC_LEN_ERR (1).';
const PAST_WINDOW =
  'rxe compares a WRITE through a window with the limits of the region, not of the window, so a WRITE past the end of the window passes.';

export const RXE_LABS: Readonly<Record<string, OnRxe | Elsewhere>> = {
  ...instrumented,
  'device-facts': {},
  'connection-manager': {
    params: { size: 64, turns: 1 },
    without: { 'cm-link': 'does not count what it sends through UDP sockets' },
  },
  'cm-messages': { params: { connections: 2 } },
  'cm-reject': {},
  'cm-pooling': { params: { requests: 4, clients: 2, outage: 200 } },
  'connection-storm': { params: { most: 4, connections: 8, backlog: 2, extra: 3, heldMs: 50 } },
  'write-stages': { params: { writes: 20 }, without: { 'cqe-after-ack': 'This device has no stamps' } },
  'cm-timewait': { without: { lost: 'no fault injection' } },
  'qp-states': { without: { timeout: 'cannot drop a packet on purpose' } },
  'three-contracts': {
    params: { messages: 3, size: 64 },
    without: { 'delivery-kept': NO_FAULTS, 'delivery-budget': NO_FAULTS },
    differs: { 'messages-short': TOO_LONG },
  },
  'copies-and-calls': {
    params: { messages: 100, size: 8, counted: 20, repeat: 1, large: 8192 },
    without: { around: NO_SHM },
  },
  'write-read': {},
  'write-imm': {},
  'notify-target': { params: { messages: 10, repeat: 1 }, without: { ack: NO_FAULTS } },
  'send-recv': { params: { size: 16, messages: 2, burst: 4, recvs: 1 }, differs: { 'too-small': TOO_LONG } },
  atomics: {
    params: { clients: 2, increments: 2 },
    without: { misaligned: 'The client’s device refused the post' },
  },
  'ud-grh': { without: { 'too-short': 'This run has room for the GRH' } },
  multicast: { params: { receivers: 2 } },
  srq: { params: { clients: 2, recvs: 4, size: 64, limit: 1 } },
  'memory-windows': {
    differs: {
      'type-1': PAST_WINDOW,
      'type-2': PAST_WINDOW,
      'send-inv':
        'The completion of a SEND with invalidate has the kernel’s flag for it, 4, which libibverbs reads as IBV_WC_IP_CSUM_OK. Programs look for IBV_WC_WITH_INV, 8, and do not find the rkey.',
      'both-know': NO_ACCESS_EVENT,
    },
  },
  'unreliable-connection': {
    without: {
      'uc-silent': NO_FAULTS,
      'uc-partial': NO_FAULTS,
      'rc-repairs': NO_FAULTS,
      'rc-whole': NO_FAULTS,
    },
  },
  'signal-every': {
    params: { ...SHORT, depth: 4, smallQueue: 2, postList: 2 },
    sometimesWithout: { full: FREED_TOO_SOON, 'too-rare': FREED_TOO_SOON, 'often-enough': FREED_TOO_SOON },
  },
  outstanding: {
    params: { ...SHORT, largest: 2 },
    sometimesWithout: { 'too-many': 'Slots may become free while the client posts' },
  },
  'post-lists': {
    params: { ...SHORT, largest: 2, depth: 4 },
    sometimesWithout: { 'too-long': 'This device accepted all' },
  },
  inline: {
    params: { ...SHORT, largest: 16 },
    without: { 'inline-kept': NO_FAULTS, 'gathered-late': NO_FAULTS },
  },
  'polling-events': { params: { messages: 20, repeat: 1 } },
  'cq-overrun': {
    params: { entries: 4 },
    without: { fatal: 'left the QP in RTS and reported no QP_FATAL', useless: 'left the QP in RTS' },
  },
  segmentation: {},
  encapsulations: {},
  acknowledgments: { params: { messages: 32, largest: 8, repeat: 1 } },
  'all-to-all': {
    params: { hosts: 3, repeat: 1, large: 1024 },
    without: {
      packets: 'Not every device shows its packets',
      counters: 'no capture to compare the counters with',
    },
  },
  'parameter-server': { params: { workers: 2, steps: 3, width: 64 } },
  'embedding-cache': {
    params: { readers: 1, rows: 64, slots: 16, lookups: 200 },
    without: { reads: 'cannot be captured' },
  },
  rendezvous: { params: { largest: 65_536, messages: 3, repeat: 1 }, differs: { 'too-long': TOO_LONG } },
  'inference-ring': { params: { slots: 8, batches: 6, rounds: 5, repeat: 1 } },
  'checkpoint-staging': { params: { shards: 2, shardBytes: 4096, commits: 2, rounds: 3, repeat: 1 } },
  'feature-store': { params: { epochs: 2, groups: 2 }, without: { 'one-write': NO_FAULTS } },
  'ring-all-reduce': {
    params: { hosts: 3, repeat: 1, large: 65_536 },
    without: {
      packets: 'Not every device shows its packets',
      counters: 'no capture to compare the counters with',
    },
  },
  incast: {
    params: { clients: 2, duration: 40, repeat: 1 },
    sometimesWithout: { less: 'too few free cores', waits: 'too few free cores' },
  },
  'four-modes': { params: { payload: 64, rounds: 5, repeat: 1 } },
  'remote-execution': { params: { largest: 32_768, rounds: 1, repeat: 1, timeLimit: 1000 } },
  clinic: { params: { case: 'psn-mismatch' } },
  'queue-per-thread': { params: { ...SHORT, threads: 2 } },
  'registration-cost': {
    params: { largest: 1 << 20, rounds: 3, hugePages: false },
    without: { limit: 'This process may lock any amount of memory' },
  },
  'mr-cache': {
    params: { iterations: 4, rounds: 3 },
    without: { returned: 'does not count its registered regions' },
  },
  'register-or-copy': { params: { size: 4096, messages: 8, rounds: 3 } },
  latency: { params: { duration: 50, repeat: 1 } },
  gigabyte: { params: { megabytes: 10, repeat: 1, counted: 16 }, without: { 'no-calls': NO_SHM } },
  'retry-timers': {
    params: { timeout: 4, retries: 1, rnrTimer: 1, repeat: 1 },
    without: { 'ack-tries': NO_RETRANSMITTED, 'rnr-tries': NO_RETRANSMITTED },
  },
  'which-verb': {
    params: { message: 9, large: 4096, burst: 2, others: 1, rounds: 5, repeat: 1 },
    differs: { 'eight-bytes': 'A FETCH_ADD with an SGE of more than 8 bytes succeeds.' },
  },
  'clinic-tour': {
    without: { 'memory-limit': 'No locked-memory limit applies to the client' },
    sometimesWithout: { 'never-signaled': FREED_BY_ACK, 'never-polled': FREED_BY_ACK },
    differs: {
      'unregistered-memory':
        'The lkey of a deregistered region gives LOC_QP_OP_ERR (2), not LOC_PROT_ERR (4).',
      'wrong-rkey': NO_ACCESS_EVENT,
      'foreign-rkey': NO_ACCESS_EVENT,
      'range-overrun': NO_ACCESS_EVENT,
      'missing-right': NO_ACCESS_EVENT,
      'wrong-gid-index': 'ibv_modify_qp with a GID index that has no entry gives ENODATA, not EINVAL.',
      'mtu-mismatch': 'rxe raises no QP_REQ_ERR at the responder.',
    },
  },
};
