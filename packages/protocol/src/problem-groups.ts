// Problems grouped by cause. A single mistake is reported many times: by a call, a completion, an asynchronous event,
// the report of each process, and counters at both ends. All reports with the same cause are one problem.
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

/** An event that reports an error. */
export type ProblemPart = Pick<RunEvent, 'kind'> & Partial<RunEvent>;

export interface ProblemGroup<E> {
  /** Report of the side that posted the request; null if it reported nothing. */
  failed: RunEventOf<'finding'> | null;
  /** Report of the side that refused the request, with the reason; null if it reported nothing. */
  refused: RunEventOf<'finding'> | null;
  /** Events that report the problem, in order, including the two above. */
  parts: E[];
  /** Counters that the problem incremented. */
  faults: EndpointFault[];
  /** Cause that incremented the counters; null if no counter belongs to the problem. */
  cause: Cause | null;
}

type Finding = RunEventOf<'finding'>;
type AboutRequest = Finding & { request: NonNullable<Finding['request']> };

const isFinding = (e: ProblemPart): e is Finding => e.kind === 'finding';
const aboutRequest = (e: ProblemPart): e is AboutRequest => isFinding(e) && e.request !== undefined;
const isRefusal = ({ id }: Finding): boolean => id === 'request-refused';
const at = ({ endpoint = '' }: ProblemPart): string => endpoint;

/** Findings about calls that failed. */
const ABOUT_CALLS: ReadonlySet<string> = new Set([
  'post-wrong-state',
  'post-invalid',
  'queue-full',
  'call-refused',
]);
/** Part of the text of `queue-full` beyond that of the failed call. */
const FORGOTTEN = /, and wr_id # was not posted again$/;
/** True for a report of many RNR NAKs of a QP. */
const isStorm = (e: ProblemPart): boolean => isFinding(e) && e.id.startsWith('rnr-storm-');

const withoutNumbers = (text: string): string => text.replaceAll(/0x[0-9a-f]+|\d+/gi, '#');

/** Key of a failed call. Calls of a process that fail with the same text, apart from numbers, have the same cause. */
const callKey = (e: RunEventOf<'verb'>): string =>
  `call ${at(e)} ${e.call} ${withoutNumbers(e.error?.message ?? '')}`;

/** Keys of problems. Parts of the same problem have the same key, once all parts were seen. */
class Keys {
  readonly #connections: Connections;
  /** Peers that only the report of a process names. */
  readonly #told = new Map<string, number>();
  /** Keys of failed calls by process and verb, in order of time. */
  readonly #calls = new Map<string, Set<string>>();
  /** Key of the first failed request of each process. */
  readonly #requests = new Map<string, string>();
  /** Key of the first request that failed for lack of a receive. */
  readonly #noReceive: string | undefined;
  /** Keys of the failed calls that misuses are about. */
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
    // Both ends may be in the same process.
    const back = `${at(e)} ${other}`;
    if (!this.#told.has(back)) this.#told.set(back, own);
  }

  /**
   * Matches each misuse with the calls whose error has the same text. Without such calls (a run of an older device),
   * the first misuse of a verb matches the first failed calls, and so on: both are in order of time.
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

  /** Key of the QP's connection at that time, or of the QP alone if it had none. */
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
    // Both ends report the mismatch, each with its own QP.
    if (e.id === 'psn-mismatch')
      return this.#connection(at(e), Number.parseInt(e.object.replace('QP ', ''), 16), e.t);
    if (isStorm(e)) return this.#noReceive ?? 'receive';
    if (e.id === 'cq-overrun') return `cq ${at(e)}`;
    // The completion without a poll is that of the failed request.
    const request = e.id === 'completion-error-unpolled' ? this.#requests.get(at(e)) : undefined;
    return request ?? this.#misuses.get(e) ?? `finding ${place}`;
  }

  /** Key of a part. `place`: its index among all parts, for a part that belongs to no other. */
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

/** Cause of a failed request, if counters count it. */
function causeOf(e: ProblemPart): Cause | undefined {
  if (e.kind === 'completion')
    return causeOfStatus(lookupWcStatus((e as RunEventOf<'completion'>).wc.status).name);
  if (!isFinding(e)) return undefined;
  if (isStorm(e)) return 'receive';
  if (e.counter !== undefined) return causeOfCounter(e.counter);
  const status = e.request?.status;
  // LOC_LEN_ERR of a request: an atomic with SGEs that are too small. LOC_LEN_ERR of a message concerns its receive.
  if (status === 'LOC_LEN_ERR') return 'local';
  return status === undefined ? undefined : causeOfStatus(status);
}

/**
 * Groups the problems of a run, each with everything that reports it: first those that events report, in the order of
 * their first events, then those that only counters show, then leftover objects of each process.
 *
 * `problems` are in order of time. `faults` are the error counters that grew at each endpoint. Counters apply to the
 * whole device, so the first of several requests that failed for the same cause gets them.
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
