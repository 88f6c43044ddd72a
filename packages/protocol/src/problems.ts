// Problems of a run. The page lists them by cause, and the agent counts the causes for lists of runs.
import type { RunEvent } from './events.js';
import { Connections } from './connections.js';
import { counterFaults, isIntendedFault } from './error-counters.js';
import { errnoOf, unintended } from './intended.js';
import type { Intended } from './lab-form.js';
import { groupProblems, type ProblemPart } from './problem-groups.js';

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

/** Refusals that are normal answers: a program that reads a GID table queries empty entries too. */
const ANSWERS: Readonly<Record<string, string>> = { ibv_query_gid_ex: 'ENODATA' };

/**
 * True for a flush. It follows an error with its own completion, or the end of a connection, so it is no problem
 * itself.
 */
export const isFlush = (wc: { status: number }): boolean => wc.status === WC_FLUSH;

/** True for a failed call, completion or check, an asynchronous event of an error, or a misuse. */
export function isProblem(event: { kind: string } & Partial<RunEvent>): boolean {
  const e = event as RunEvent;
  if (e.kind === 'verb')
    return e.error !== undefined && !e.injected && errnoOf(e) !== (ANSWERS[e.call] ?? null);
  if (e.kind === 'completion') return e.wc.status !== 0 && !isFlush(e.wc);
  if (e.kind === 'async') return !QUIET.has(e.event);
  if (e.kind === 'check') return !e.ok;
  // An unread event is already a problem itself.
  return e.kind === 'finding' && e.id !== 'async-event-unread';
}

/** Kinds of events that a tally uses. */
const TALLIED: ReadonlySet<string> = new Set([
  ...['intended', 'qp', 'counter'],
  ...['verb', 'completion', 'async', 'check', 'finding'],
]);

/** Most problems that are examined. Further ones would show the same, and a hostile sender must not fill the memory. */
const MAX_TALLIED = 20_000;

/** Counts the problems of a run as its events arrive. */
export class ProblemTally {
  /** True if events of this kind matter. Others need not be examined. */
  static takes(kind: string): boolean {
    return TALLIED.has(kind);
  }

  readonly #intended: Intended[] = [];
  readonly #events: ProblemPart[] = [];
  readonly #connections = new Connections();
  readonly #counters = new Map<
    string,
    { before: Record<string, number> | null; now: Record<string, number> }
  >();

  take(event: { kind: string } & Partial<RunEvent>, endpoint = event.endpoint ?? ''): void {
    if (!TALLIED.has(event.kind)) return;
    const e = event as RunEvent;
    if (e.kind === 'intended') this.#intended.push(...e.refusals);
    if (isProblem(event) && this.#events.length < MAX_TALLIED) this.#events.push({ ...e, endpoint });
    if (e.kind === 'qp') this.#connections.add(endpoint, e);
    if (e.kind !== 'counter') return;
    const known = this.#counters.get(endpoint);
    this.#counters.set(endpoint, {
      before: e.when === 'before' ? e.values : (known?.before ?? null),
      now: e.values,
    });
  }

  get count(): number {
    const faults = [...this.#counters].flatMap(([endpoint, { before, now }]) =>
      counterFaults(before, now)
        .filter((fault) => !isIntendedFault(fault, this.#intended, endpoint))
        .map((fault) => ({ ...fault, endpoint })),
    );
    const events = this.#events.toSorted((a, b) => (a.t ?? Infinity) - (b.t ?? Infinity));
    return groupProblems(unintended(events, this.#intended), faults, this.#connections).length;
  }
}
