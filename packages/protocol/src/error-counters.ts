// Error counters, grouped by the cause that increments them together.
import { intendedAt } from './intended.js';
import type { Intended } from './lab-form.js';

/** Causes that increment error counters. */
export type Cause = 'loss' | 'receive' | 'local' | 'remote' | 'length' | 'message' | 'qkey';

/** Each cause in a sentence. */
export const CAUSES: Readonly<Record<Cause, string>> = {
  loss: 'Packets or their acknowledgments were lost or late.',
  receive: 'Messages arrived while no receive was posted.',
  local: 'Work requests were refused before they were sent in full.',
  remote: 'The responder refused a request.',
  length: 'A message was longer than its receive.',
  message: 'UC or UD messages were dropped.',
  qkey: 'Datagrams with a wrong Q_Key were dropped.',
};

const ENDS: Readonly<Partial<Record<string, Cause>>> = {
  LOC_LEN_ERR: 'length',
  LOC_QP_OP_ERR: 'local',
  LOC_PROT_ERR: 'local',
  REM_INV_REQ_ERR: 'remote',
  REM_ACCESS_ERR: 'remote',
  REM_OP_ERR: 'remote',
  RETRY_EXC_ERR: 'loss',
  RNR_RETRY_EXC_ERR: 'receive',
};
/** Cause of a failed request by its status without `IBV_WC_`, if counters count it. */
export const causeOfStatus = (name: string): Cause | undefined => ENDS[name];

interface ErrorCounter {
  /** Names of the same counter on different devices. */
  names: readonly string[];
  /** Name of the counted things, and their meaning. */
  what: string;
  text: string;
  /** Cause of the counter, if no other counter or event says more. */
  cause: Cause;
  /** Further causes that increment it. The first one with other evidence counts. */
  follows?: readonly Cause[];
  /** Counter that the device must have too. rxe uses a name of other devices for another count. */
  beside?: string;
  /** Requests or messages were lost for good; else the device recovered by itself. */
  lost?: true;
}

const ERROR_COUNTERS: readonly ErrorCounter[] = [
  {
    names: ['retry_exceeded_err'],
    cause: 'loss',
    what: 'requests given up',
    text: 'The peer did not acknowledge, and all retries were used up.',
    lost: true,
  },
  {
    names: ['retry_rnr_exceeded_err'],
    cause: 'receive',
    what: 'requests given up',
    text: 'The peer posted no receive, and all RNR retries were used up.',
    lost: true,
  },
  {
    names: ['req_remote_access_errors', 'req_remote_invalid_request'],
    cause: 'remote',
    what: 'requests refused by the peer',
    text: 'The rkey, the range or the rights were wrong, or the peer does not take such requests.',
    lost: true,
  },
  {
    names: ['resp_remote_access_errors'],
    cause: 'remote',
    what: 'requests of the peer refused',
    text: 'The rkey, the range or the rights of the requests were wrong.',
    lost: true,
  },
  {
    names: ['resp_local_length_error'],
    cause: 'length',
    what: 'messages refused',
    text: 'The receive that they were to fill was too small.',
    lost: true,
  },
  {
    names: ['send_err'],
    beside: 'link_downed',
    cause: 'loss',
    what: 'packets refused by the kernel',
    text: 'The kernel’s network layer did not take them.',
  },
  {
    names: ['send_err'],
    cause: 'local',
    what: 'work requests refused',
    text: 'A local key or range was wrong, the QP does not have the operation, or a datagram was longer than the MTU.',
    lost: true,
  },
  {
    names: ['out_of_buffer'],
    cause: 'receive',
    what: 'messages dropped',
    text: 'No receive was posted for them. UC and UD messages are lost.',
    lost: true,
  },
  {
    names: ['dropped_messages'],
    cause: 'message',
    follows: ['loss'],
    what: 'messages dropped',
    text: 'A packet of these UC or UD messages was lost, its rights were wrong, or the receive was too small: a UD receive needs 40 bytes more for the GRH.',
    lost: true,
  },
  {
    names: ['qkey_violations'],
    cause: 'qkey',
    what: 'datagrams dropped',
    text: 'Their Q_Key is not that of the queue pair.',
    lost: true,
  },
  {
    names: ['local_ack_timeout_err'],
    cause: 'loss',
    follows: ['loss', 'receive'],
    what: 'ACK timeouts',
    text: 'No acknowledgment came in time. The device retransmits while retries are left.',
  },
  {
    names: ['completer_retry_err'],
    cause: 'loss',
    follows: ['loss', 'receive'],
    what: 'retries',
    text: 'The requester went back to an earlier packet and retransmitted from there.',
  },
  {
    names: ['retransmitted_pkts'],
    cause: 'loss',
    follows: ['loss', 'receive'],
    what: 'packets retransmitted',
    text: 'They, a packet before them or an acknowledgment was lost or late, or no receive was posted.',
  },
  {
    names: ['rnr_nak_retry_err', 'rcvd_rnr_err'],
    cause: 'receive',
    what: 'RNR NAKs received',
    text: 'The peer had no receive posted. The device waits and retransmits while RNR retries are left.',
  },
  {
    names: ['send_rnr_err'],
    cause: 'receive',
    what: 'RNR NAKs sent',
    text: 'A message arrived while no receive was posted here. Post receives earlier, or more of them.',
  },
  {
    names: ['packet_seq_err', 'rcvd_seq_err'],
    cause: 'loss',
    what: 'sequence NAKs received',
    text: 'The peer missed a packet and asked for it again.',
  },
  {
    names: ['implied_nak_seq_err'],
    cause: 'loss',
    what: 'responses and ACKs behind a gap',
    text: 'A READ or atomic response was missing, so the device asks for it again.',
  },
  {
    names: ['out_of_sequence', 'out_of_seq_request'],
    cause: 'loss',
    follows: ['loss', 'receive'],
    what: 'out-of-sequence requests',
    text: 'A packet before them was lost or late on the way here, or no receive was posted for it.',
  },
  {
    names: ['icrc_errors'],
    cause: 'loss',
    what: 'packets with a wrong ICRC',
    text: 'They were damaged on the way and dropped.',
  },
  {
    names: ['udp_receive_overruns'],
    cause: 'loss',
    what: 'datagrams dropped by the kernel',
    text: 'The receive buffer of the socket was full.',
  },
  {
    names: ['udp_send_lost_pkts'],
    cause: 'loss',
    what: 'packets refused by the kernel',
    text: 'Usually there is no route, or the interface is down.',
  },
  {
    names: ['link_downed'],
    cause: 'loss',
    what: 'times the link went down',
    text: 'The port lost its link.',
  },
];

export interface CounterFault {
  cause: Cause;
  name: string;
  count: number;
  what: string;
  text: string;
  lost: boolean;
}

export interface EndpointFault extends CounterFault {
  endpoint: string;
}

const BY_NAME = new Map(ERROR_COUNTERS.flatMap((one) => one.names.map((name) => [name, one] as const)));

/** Cause of a counter, if it is an error counter. */
export const causeOfCounter = (name: string): Cause | undefined => BY_NAME.get(name)?.cause;

/**
 * The faults with their final causes, from all faults and from the failed requests. `known`: causes of these requests.
 */
export function withCauses<F extends CounterFault>(faults: readonly F[], known: ReadonlySet<Cause>): F[] {
  const shown = new Set(known);
  for (const { name, cause } of faults) if (!BY_NAME.get(name)?.follows) shown.add(cause);
  return faults.map((fault) => {
    const cause = BY_NAME.get(fault.name)?.follows?.find((one) => shown.has(one));
    return cause ? { ...fault, cause } : fault;
  });
}

/**
 * Error counters that grew between two snapshots, the most serious first. A counter missing in `before` started at 0.
 */
export function counterFaults(
  before: Readonly<Record<string, number>> | null,
  now: Readonly<Record<string, number>>,
): CounterFault[] {
  const told = new Set<string>();
  return ERROR_COUNTERS.flatMap(({ names, beside, cause, what, text, lost = false }) => {
    if ((beside !== undefined && !(beside in now)) || names.some((name) => told.has(name))) return [];
    for (const name of names) told.add(name);
    // Names of the same counter agree, so the largest value is the count.
    const moved = names.map((name) => ({ name, count: (now[name] ?? 0) - (before?.[name] ?? 0) }));
    const most = moved.reduce((a, b) => (b.count > a.count ? b : a));
    return most.count > 0 ? [{ ...most, cause, what, text, lost }] : [];
  });
}

/** True if the lab intends this counter's errors, under any name of the counter. */
export function isIntendedFault(
  { name }: CounterFault,
  intended: readonly Intended[],
  endpoint: string,
): boolean {
  const names = BY_NAME.get(name)?.names ?? [name];
  return intendedAt(endpoint, intended).some(({ counters = [] }) =>
    counters.some((one) => names.includes(one)),
  );
}
