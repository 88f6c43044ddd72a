/**
 * Items that runs of variations lack on the embedded device. Without a line here, a run has everything that the lab
 * declares.
 */

export interface Lacks {
  /** Reason, for people. */
  because: string;
  /** Checks that do not apply. Default: those in the facts of the lab. */
  checks?: readonly string[];
  /** Predictions without an outcome. */
  predictions?: readonly string[];
  /** Tables that stay empty. */
  tables?: readonly string[];
  /** Values that the text names and the run lacks: `figure:knee`. The text explains their absence. */
  values?: readonly string[];
  /** Values and predictions that may be missing, depending on chance or the machine. */
  may?: readonly string[];
}

const TIMEOUT_0: Lacks = {
  because: 'timeout 0 waits for an ACK without end',
  values: ['figure:after-loss'],
};
const NO_HIT: Lacks = { because: 'no message finds its region in the cache', values: ['figure:hit-time'] };
const NOT_COMPUTED: Lacks = {
  because: 'only LRU with buffers in a cycle has a formula for the misses',
  checks: ['expected'],
};

const PAUSED_ALWAYS: Lacks = { because: 'PAUSE frames are sent at every alpha', checks: ['below'] };

/** Missing items of a variation, by lab and variation: `lab name`. */
export const LACKS: Readonly<Record<string, Lacks>> = {
  'ecn-or-pfc large-window': PAUSED_ALWAYS,
  'ecn-or-pfc sixteen': PAUSED_ALWAYS,
  'go-back-0-livelock short': {
    because: 'all messages are shorter than the limit',
    checks: ['stops'],
  },
  'qp-states shortest': TIMEOUT_0,
  'qp-states through-udp': TIMEOUT_0,
  'ud-grh no-room': {
    because: 'the datagram does not arrive, so there is nothing to look at or to answer',
    checks: ['byte-len', 'payload-at-40', 'grh', 'reply', 'one-packet'],
    tables: ['grh'],
  },
  'mr-cache one-short': NO_HIT,
  'mr-cache none': NO_HIT,
  'mr-cache mru': NOT_COMPUTED,
  'mr-cache random': NOT_COMPUTED,
  'cm-timewait all': {
    because: 'the server does not learn of the end',
    values: ['figure:lost-delay'],
  },
  'clinic another': {
    because: 'the reader is to find the mistake, which a call refuses at once',
    tables: ['diagnosis'],
    predictions: ['diagnosis'],
    values: ['figure:brokenTime'],
  },
};

/** Items that may be missing in each variation of a lab, by lab. */
export const MAY_LACK: Readonly<Record<string, Lacks>> = {
  'remote-execution': {
    because: 'on a slow machine READ is ahead at every size',
    may: ['figure:even-call'],
  },
  'register-or-copy': {
    because: 'a copy may take less time than to find the region',
    may: ['break-even', 'figure:break-even', 'figure:crossing'],
  },
  gigabyte: {
    because: 'virtual machines have no energy counters',
    may: ['figure:tcp-energy', 'figure:rdma-energy', 'figure:shm-energy'],
  },
  'delay-and-window': {
    because: 'the windows of the lab may be too small for half of the link',
    may: ['figure:half-long', 'figure:half-short', 'figure:half-none'],
  },
  rendezvous: {
    because: 'the medians may not cross',
    may: ['figure:crossover-write', 'figure:crossover-read'],
  },
};
