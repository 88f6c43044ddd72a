// What counts as a problem of a run: the page lists them, and the agent counts them for lists of runs.
import type { RunEvent } from './events.js';
import { isLeak } from './findings.js';
import { incidentsOf, type IncidentPart } from './incidents.js';
import { errnoOf, intendedAt, unintended } from './intended.js';
import type { Intended } from './lab-form.js';

/** `WR_FLUSH_ERR`: the work request was still in a queue when the QP went to ERR. */
export const WC_FLUSH = 5;

/** Asynchronous events that report progress, not an error. */
const QUIET = new Set([
  'COMM_EST',
  'SQ_DRAINED',
  'QP_LAST_WQE_REACHED',
  'SRQ_LIMIT_REACHED',
  'PATH_MIG',
  'PORT_ACTIVE',
  'LID_CHANGE',
  'PKEY_CHANGE',
  'GID_CHANGE',
  'SM_CHANGE',
  'CLIENT_REREGISTER',
]);

/** Refusals that are answers: a program that goes through a GID table asks for empty entries too. */
const ANSWERS: Readonly<Record<string, string>> = { ibv_query_gid_ex: 'ENODATA' };

/** A flush follows an error that has its own completion, or the end of a connection: it is no problem itself. */
export const isFlush = (wc: { status: number }): boolean => wc.status === WC_FLUSH;

/** A failed call, completion or check, an asynchronous event of an error, or a misuse. */
export function isProblem(event: { kind: string } & Partial<RunEvent>): boolean {
  const e = event as RunEvent;
  if (e.kind === 'verb') return e.error !== undefined && errnoOf(e) !== (ANSWERS[e.call] ?? null);
  if (e.kind === 'completion') return e.wc.status !== 0 && !isFlush(e.wc);
  if (e.kind === 'async') return !QUIET.has(e.event);
  if (e.kind === 'check') return !e.ok;
  return e.kind === 'finding';
}

/** How many problems these are: all items about one request count once, and each leaked object counts. */
export function problemCount(problems: readonly IncidentPart[]): number {
  const { incidents, others } = incidentsOf(problems);
  const counted = others.map((e) => (isLeak(e) ? ((e as { count?: number }).count ?? 1) : 1));
  return counted.reduce((sum, n) => sum + n, incidents.length);
}

interface ErrorCounter {
  /** Names by which devices count the same thing. */
  names: readonly string[];
  /** Of what there were so many, and what it means. */
  what: string;
  text: string;
  /** Requests or messages were lost for good; else the device recovered by itself. */
  lost?: true;
}

const ERROR_COUNTERS: readonly ErrorCounter[] = [
  {
    names: ['retry_exceeded_err'],
    what: 'requests given up',
    text: 'The peer did not answer, and all retries were used up.',
    lost: true,
  },
  {
    names: ['retry_rnr_exceeded_err'],
    what: 'requests given up',
    text: 'The peer posted no receive, and all RNR retries were used up.',
    lost: true,
  },
  {
    names: ['send_err'],
    what: 'work requests refused',
    text: 'The local key or the range was wrong, so nothing was sent.',
    lost: true,
  },
  {
    names: ['out_of_buffer'],
    what: 'messages dropped',
    text: 'No receive was posted for these UC or UD messages.',
    lost: true,
  },
  {
    names: ['dropped_messages'],
    what: 'messages dropped',
    text: 'A packet of these UC or UD messages was lost, or its length or rights were wrong.',
    lost: true,
  },
  {
    names: ['qkey_violations'],
    what: 'datagrams dropped',
    text: 'Their Q_Key is not that of the queue pair.',
    lost: true,
  },
  {
    names: ['local_ack_timeout_err'],
    what: 'ACK timeouts',
    text: 'No acknowledgment came in time, so the device retransmitted.',
  },
  {
    names: ['completer_retry_err'],
    what: 'retries',
    text: 'The requester went back to an earlier packet and retransmitted from there.',
  },
  {
    names: ['retransmitted_pkts'],
    what: 'packets retransmitted',
    text: 'They or their acknowledgments were lost, or no receive was posted for them.',
  },
  {
    names: ['rnr_nak_retry_err', 'rcvd_rnr_err'],
    what: 'RNR NAKs received',
    text: 'The peer had no receive posted, so the device waited and retransmitted.',
  },
  {
    names: ['send_rnr_err'],
    what: 'RNR NAKs sent',
    text: 'A message arrived while no receive was posted here. Post receives earlier, or more of them.',
  },
  {
    names: ['packet_seq_err', 'rcvd_seq_err'],
    what: 'sequence NAKs received',
    text: 'The peer missed a packet and asked for it again.',
  },
  {
    names: ['implied_nak_seq_err'],
    what: 'gaps in responses',
    text: 'A response was missing, so the device asked for it again.',
  },
  {
    names: ['out_of_sequence', 'out_of_seq_request'],
    what: 'out-of-sequence requests',
    text: 'A packet before them was lost on the way here, or no receive was posted for it.',
  },
  {
    names: ['icrc_errors'],
    what: 'packets with a wrong ICRC',
    text: 'They were damaged on the way and dropped.',
  },
  {
    names: ['udp_receive_overruns'],
    what: 'datagrams dropped by the kernel',
    text: 'The receive buffer of the socket was full.',
  },
  {
    names: ['udp_send_lost_pkts'],
    what: 'packets refused by the kernel',
    text: 'There is no route, or the interface is down.',
  },
  { names: ['link_downed'], what: 'times the link went down', text: 'The port lost its link.' },
];

export interface CounterFault {
  name: string;
  count: number;
  what: string;
  text: string;
  lost: boolean;
}

/** Counters of the error class that moved between two snapshots, the grave ones first. A counter that `before` lacks counted nothing then. */
export function counterFaults(
  before: Readonly<Record<string, number>> | null,
  now: Readonly<Record<string, number>>,
): CounterFault[] {
  return ERROR_COUNTERS.flatMap(({ names, what, text, lost = false }) => {
    // Names for the same thing agree, so the largest is the count.
    const moved = names.map((name) => ({ name, count: (now[name] ?? 0) - (before?.[name] ?? 0) }));
    const most = moved.reduce((a, b) => (b.count > a.count ? b : a));
    return most.count > 0 ? [{ ...most, what, text, lost }] : [];
  });
}

/** The same for a counter, by whatever name the device has for it. */
export function isIntendedFault(
  { name }: CounterFault,
  intended: readonly Intended[],
  endpoint: string,
): boolean {
  const names = ERROR_COUNTERS.find((one) => one.names.includes(name))?.names ?? [name];
  return intendedAt(endpoint, intended).some(({ counters = [] }) =>
    counters.some((one) => names.includes(one)),
  );
}

/** Counts the problems of a run while its events pass. */
export class ProblemTally {
  readonly #intended: Intended[] = [];
  readonly #events: IncidentPart[] = [];
  readonly #counters = new Map<
    string,
    { before: Record<string, number> | null; now: Record<string, number> }
  >();

  take(event: { kind: string } & Partial<RunEvent>, endpoint = event.endpoint ?? ''): void {
    const e = event as RunEvent;
    if (e.kind === 'intended') this.#intended.push(...e.refusals);
    if (isProblem(event)) this.#events.push({ ...e, endpoint });
    if (e.kind !== 'counter') return;
    const known = this.#counters.get(endpoint);
    this.#counters.set(endpoint, {
      before: e.when === 'before' ? e.values : (known?.before ?? null),
      now: e.values,
    });
  }

  get count(): number {
    const faults = [...this.#counters].flatMap(([endpoint, { before, now }]) =>
      counterFaults(before, now).filter((fault) => !isIntendedFault(fault, this.#intended, endpoint)),
    );
    return faults.length + problemCount(unintended(this.#events, this.#intended));
  }
}
