// One mistake is reported many times: by a call, a completion, an asynchronous event, the report of each process, and
// counters at both ends. All that has one cause is one problem.
import type { Connections } from './connections.js';
import {
  causeOfCounter,
  causeOfStatus,
  withCauses,
  type Cause,
  type EndpointFault,
} from './error-counters.js';
import { lookupWcStatus } from './errno.js';
import type { RunEvent, RunEventOf } from './events.js';
import { isLeak } from './findings.js';

/** An event that says that something went wrong. */
export type ProblemPart = Pick<RunEvent, 'kind'> & Partial<RunEvent>;

export interface ProblemGroup<E> {
  /** As the side that posted the request tells it. Null when that side told nothing. */
  failed: RunEventOf<'finding'> | null;
  /** As the side that refused it tells it, with the reason. */
  refused: RunEventOf<'finding'> | null;
  /** The events that report it, in their order: the two above too. */
  parts: E[];
  /** The counters that it moved. */
  faults: EndpointFault[];
  /** What moved the counters. Null: no counter is of this problem. */
  cause: Cause | null;
}

type Finding = RunEventOf<'finding'>;
type AboutRequest = Finding & { request: NonNullable<Finding['request']> };

const isFinding = (e: ProblemPart): e is Finding => e.kind === 'finding';
const aboutRequest = (e: ProblemPart): e is AboutRequest => isFinding(e) && e.request !== undefined;
const isRefusal = ({ id }: Finding): boolean => id === 'request-refused';
const at = ({ endpoint = '' }: ProblemPart): string => endpoint;

/** Findings about the very calls that failed. */
const ABOUT_CALLS: ReadonlySet<string> = new Set([
  'post-wrong-state',
  'post-invalid',
  'queue-full',
  'call-refused',
]);
/** What `queue-full` says beyond the words of the call that failed. */
const FORGOTTEN = /, and wr_id # was not posted again$/;
/** Many RNR NAKs of one QP. */
const isStorm = (e: ProblemPart): boolean => isFinding(e) && e.id.startsWith('rnr-storm-');

const withoutNumbers = (text: string): string => text.replaceAll(/0x[0-9a-f]+|\d+/gi, '#');

/** Calls of a process that fail with the same words, numbers apart, have one cause. */
const callKey = (e: RunEventOf<'verb'>): string =>
  `call ${at(e)} ${e.call} ${withoutNumbers(e.error?.message ?? '')}`;

/** The keys by which parts of one problem find each other, once all parts were seen. */
class Keys {
  readonly #connections: Connections;
  /** Peers that only the report of a process names. */
  readonly #told = new Map<string, number>();
  /** Failed calls of a process by the verb, the different ones in their order. */
  readonly #calls = new Map<string, Set<string>>();
  /** Of a process: the first of its requests that failed. */
  readonly #requests = new Map<string, string>();
  /** Of the first request that failed for want of a receive. */
  readonly #noReceive: string | undefined;
  /** Which of the failed calls a misuse is about. */
  readonly #misuses = new Map<Finding, string>();

  constructor(problems: readonly ProblemPart[], connections: Connections) {
    this.#connections = connections;
    for (const e of problems) {
      if (aboutRequest(e)) this.#tell(e);
      if (e.kind !== 'verb') continue;
      const call = e as RunEventOf<'verb'>;
      const verb = `${at(e)} ${call.call}`;
      this.#calls.set(verb, (this.#calls.get(verb) ?? new Set()).add(callKey(call)));
    }
    this.#matchMisuses(problems);
    for (const e of problems) {
      if (!aboutRequest(e) || isRefusal(e) || this.#requests.has(at(e))) continue;
      this.#requests.set(at(e), this.of(e, 0));
    }
    const first = problems.find((e) => !isStorm(e) && causeOf(e) === 'receive');
    this.#noReceive = first && this.of(first, 0);
  }

  #tell(e: AboutRequest): void {
    const { qpn, peerQpn } = e.request;
    if (peerQpn === undefined) return;
    const [own, other] = isRefusal(e) ? [peerQpn, qpn] : [qpn, peerQpn];
    this.#told.set(`${at(e)} ${own}`, other);
    // Both ends may be in one process.
    const back = `${at(e)} ${other}`;
    if (!this.#told.has(back)) this.#told.set(back, own);
  }

  /**
   * A misuse is about the calls whose error says the same. Where none does (a run of an older device), of each verb the
   * first misuse is about the first calls that failed, and so on: both are in the order of time.
   */
  #matchMisuses(problems: readonly ProblemPart[]): void {
    const left = new Map([...this.#calls].map(([verb, keys]) => [verb, keys.values()] as const));
    for (const e of problems) {
      if (!isFinding(e) || !ABOUT_CALLS.has(e.id)) continue;
      const verb = `${at(e)} ${e.call}`;
      const words = withoutNumbers(e.detail).replace(FORGOTTEN, '');
      const same = words && [...(this.#calls.get(verb) ?? [])].find((one) => one.includes(words));
      const key = same || left.get(verb)?.next().value;
      if (key !== undefined) this.#misuses.set(e, key);
    }
  }

  /** Of the connection that this QP had then; of the QP alone when it had none. */
  #connection(endpoint: string, qpn: number, t: number | undefined): string {
    const known = this.#connections.at(endpoint, qpn, t);
    const peerQpn = known?.peerQpn ?? this.#told.get(`${endpoint} ${qpn}`);
    return peerQpn === undefined ? `qp ${endpoint} ${qpn}` : pairKey(qpn, peerQpn, known?.nth ?? 1);
  }

  #finding(e: Finding, place: number): string {
    if (aboutRequest(e)) {
      const { qpn, peerQpn = qpn } = e.request;
      return this.#connection(at(e), isRefusal(e) ? peerQpn : qpn, e.t);
    }
    if (isLeak(e)) return `leaks ${at(e)}`;
    // Both ends report it, each with its own QP.
    if (e.id === 'psn-mismatch')
      return this.#connection(at(e), Number.parseInt(e.object.replace('QP ', ''), 16), e.t);
    if (isStorm(e)) return this.#noReceive ?? 'receive';
    if (e.id === 'cq-overrun') return `cq ${at(e)}`;
    // What was not polled is the completion of the request that failed.
    const request = e.id === 'completion-error-unpolled' ? this.#requests.get(at(e)) : undefined;
    return request ?? this.#misuses.get(e) ?? `finding ${place}`;
  }

  /** `place`: of the part among all, for one that belongs to no other. */
  of(e: ProblemPart, place: number): string {
    if (e.kind === 'verb') return callKey(e as RunEventOf<'verb'>);
    if (e.kind === 'completion') return this.#connection(at(e), (e as RunEventOf<'completion'>).wc.qpn, e.t);
    if (e.kind === 'async') {
      const { event, qpn } = e as RunEventOf<'async'>;
      if (event === 'CQ_ERR') return `cq ${at(e)}`;
      return qpn === undefined ? `${event} ${at(e)}` : this.#connection(at(e), qpn, e.t);
    }
    return isFinding(e) ? this.#finding(e, place) : `${e.kind} ${place}`;
  }
}

const pairKey = (a: number, b: number, nth: number): string =>
  `pair ${Math.min(a, b)} ${Math.max(a, b)} ${nth}`;

/** What a request failed of, if counters count that. */
function causeOf(e: ProblemPart): Cause | undefined {
  if (e.kind === 'completion')
    return causeOfStatus(lookupWcStatus((e as RunEventOf<'completion'>).wc.status).name);
  if (!isFinding(e)) return undefined;
  if (isStorm(e)) return 'receive';
  if (e.counter !== undefined) return causeOfCounter(e.counter);
  const status = e.request?.status;
  // An atomic whose own SGEs are too small. Of a message, its receive is.
  if (status === 'LOC_LEN_ERR') return 'local';
  return status === undefined ? undefined : causeOfStatus(status);
}

/**
 * The problems of a run, each with everything that reports it: first those that events report, in the order of their
 * first events, then those that only counters show, then what each process left behind.
 *
 * `problems` are in the order of time, `faults` are the counters of the error class that moved at each endpoint. The
 * counters are of the whole device, so of several requests that failed alike the first one has them.
 */
export function groupProblems<E extends ProblemPart>(
  problems: readonly E[],
  faults: readonly EndpointFault[],
  connections: Connections,
): ProblemGroup<E>[] {
  const keys = new Keys(problems, connections);
  const groups = new Map<string, ProblemGroup<E>>();
  const byCause = new Map<Cause, ProblemGroup<E>>();
  const groupAt = (key: string): ProblemGroup<E> => {
    const known = groups.get(key);
    if (known) return known;
    const made: ProblemGroup<E> = { failed: null, refused: null, parts: [], faults: [], cause: null };
    groups.set(key, made);
    return made;
  };
  problems.forEach((e, place) => {
    const group = groupAt(keys.of(e, place));
    group.parts.push(e);
    if (aboutRequest(e)) {
      if (isRefusal(e)) group.refused ??= e;
      else group.failed ??= e;
    }
    const cause = causeOf(e);
    if (cause && !byCause.has(cause)) byCause.set(cause, group);
  });
  for (const fault of withCauses(faults, new Set(byCause.keys()))) {
    const group = byCause.get(fault.cause) ?? groupAt(`counters ${fault.cause}`);
    group.faults.push(fault);
    group.cause ??= fault.cause;
  }
  const turn = ({ parts: [first] }: ProblemGroup<E>): number => (!first ? 1 : isLeak(first) ? 2 : 0);
  return [...groups.values()].sort((a, b) => turn(a) - turn(b));
}
