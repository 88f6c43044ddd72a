import {
  type Connections,
  counterFaults,
  errnoOf,
  groupProblems,
  isFlush,
  isIntendedFault,
  isLeak,
  isProblem,
  lookupWcStatus,
  unintended,
  type Intended,
  type ProblemGroup,
  type RunEvent,
  type RunEventOf,
} from '@verbslab/protocol';

/** An event that may report a mistake of the program or a failure that it met. */
export type Problem = RunEventOf<'verb' | 'completion' | 'async' | 'finding'>;

export type ProblemEvent = Problem | RunEventOf<'check'>;

/** The records that are searched for problems. */
export interface Told {
  readonly problems: readonly Problem[];
  /** Events of a lab: calls, completions and asynchronous events, among others. */
  readonly trace: readonly RunEvent[];
  readonly checks: ReadonlyMap<string, RunEventOf<'check'>>;
  /** Errors that the lab causes on purpose. */
  readonly intended: readonly Intended[];
  /** Error counters by endpoint. */
  readonly counters: ReadonlyMap<
    string,
    { before: Record<string, number> | null; latest: Record<string, number> }
  >;
  readonly connections: Connections;
}

/** All effects of one cause. */
export type ProblemOf = ProblemGroup<ProblemEvent>;

export interface ProblemList {
  /** Problems in order of time, then those that only counters show, then leftover objects. */
  groups: ProblemOf[];
  /** Work requests that were still queued when their QP went to ERR. They are no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  /** Number of errors in events and counters that the lab caused on purpose. They are in no list here. */
  intended: number;
  /** Names of these errors, each once: statuses, events, refused calls and counters. */
  intendedNames: string[];
}

/** Order of freeing. An object can be freed only after its users: QPs first, the context last. */
const FREED: readonly RegExp[] = [/_qp/, /_srq/, /_cq/, /_mr|_mw/, /_pd/];
function turnToFree({ call }: RunEventOf<'finding'>): number {
  if (call.includes('_open_')) return FREED.length;
  const turn = FREED.findIndex((names) => names.test(call));
  // Completion channels, address handles and others: after the CQs, before the PDs.
  return turn === -1 ? 2.5 : turn;
}

const byTurn = (a: ProblemEvent, b: ProblemEvent): number =>
  a.kind === 'finding' && b.kind === 'finding' ? turnToFree(a) - turnToFree(b) : 0;

/** Name of a problem as in a table or a manual page. */
function nameOf(e: ProblemEvent): string {
  switch (e.kind) {
    case 'completion':
      return lookupWcStatus(e.wc.status).name;
    case 'async':
      return e.event;
    case 'verb':
      return [e.call, errnoOf(e)].filter(Boolean).join(' ');
    case 'check':
    case 'finding':
      return e.id;
  }
}

const byTime = (a: ProblemEvent, b: ProblemEvent): number => a.t - b.t || a.seq - b.seq;

/** Finds the problems of a run by the same rules that the agent counts them with. */
export function problemList(model: Told): ProblemList {
  const seen = [...model.problems, ...model.trace, ...model.checks.values()];
  const all = seen.filter((e): e is ProblemEvent => isProblem(e)).sort(byTime);
  const problems = unintended(all, model.intended);
  const flushes = seen.filter((e): e is RunEventOf<'completion'> => e.kind === 'completion' && isFlush(e.wc));
  const moved = [...model.counters].flatMap(([endpoint, { before, latest }]) =>
    counterFaults(before, latest).map((fault) => ({ ...fault, endpoint })),
  );
  const faults = moved.filter((fault) => !isIntendedFault(fault, model.intended, fault.endpoint));
  const left = new Set<unknown>([...problems, ...faults]);
  const names = [
    ...all.filter((e) => !left.has(e)).map(nameOf),
    ...moved.filter((fault) => !left.has(fault)).map(({ name }) => name),
  ];
  const intended = all.length - problems.length + moved.length - faults.length;
  const groups = groupProblems(problems, faults, model.connections);
  for (const { parts } of groups) if (parts[0] && isLeak(parts[0])) parts.sort(byTurn);
  return { groups, flushes, intended, intendedNames: [...new Set(names)] };
}

/** Kinds of events, from the most to the least informative. */
const TELLING: readonly ProblemEvent['kind'][] = ['completion', 'finding', 'verb', 'check', 'async'];

/** The main event of a problem; null for a problem that only counters show. */
export function leadOf({ failed, refused, parts }: ProblemOf): ProblemEvent | null {
  if (failed ?? refused) return failed ?? refused;
  const [first] = TELLING.flatMap((kind) => parts.find((p) => p.kind === kind) ?? []);
  return first ?? null;
}

export const isLeft = ({ parts: [first] }: ProblemOf): boolean => first !== undefined && isLeak(first);
