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

/** What a program did wrong, or what happened to it. */
export type Problem = RunEventOf<'verb' | 'completion' | 'async' | 'finding'>;

export type ProblemEvent = Problem | RunEventOf<'check'>;

/** What problems are found in. */
export interface Told {
  readonly problems: readonly Problem[];
  /** Of a lab: its calls, completions and events, among others. */
  readonly trace: readonly RunEvent[];
  readonly checks: ReadonlyMap<string, RunEventOf<'check'>>;
  /** What the lab causes on purpose. */
  readonly intended: readonly Intended[];
  /** By endpoint. */
  readonly counters: ReadonlyMap<
    string,
    { before: Record<string, number> | null; latest: Record<string, number> }
  >;
  readonly connections: Connections;
}

/** All that one cause brought about. */
export type ProblemOf = ProblemGroup<ProblemEvent>;

export interface ProblemList {
  /** In the order in which they happened; then those that only counters show, then what was left behind. */
  groups: ProblemOf[];
  /** Work requests that were still queued when their QP went to ERR: no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  /** How much the lab caused on purpose: errors of events and counters that are in no list here. */
  intended: number;
  /** Which these are, each once: names of statuses, events, refused calls and counters. */
  intendedNames: string[];
}

/** An object can be freed only after what uses it: QPs first, the context last. */
const FREED: readonly RegExp[] = [/_qp/, /_srq/, /_cq/, /_mr|_mw/, /_pd/];
function turnToFree({ call }: RunEventOf<'finding'>): number {
  if (call.includes('_open_')) return FREED.length;
  const turn = FREED.findIndex((names) => names.test(call));
  // Completion channels and address handles, among others: after the CQs, before the PDs.
  return turn === -1 ? 2.5 : turn;
}

const byTurn = (a: ProblemEvent, b: ProblemEvent): number =>
  a.kind === 'finding' && b.kind === 'finding' ? turnToFree(a) - turnToFree(b) : 0;

/** As the reader meets it in a table or a manual page. */
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

/** What went wrong in a run, by the same rules by which the agent counts it. */
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

/** What says most of a problem, first. */
const TELLING: readonly ProblemEvent['kind'][] = ['completion', 'finding', 'verb', 'check', 'async'];

/** The event that stands for a problem; null for one that only counters show. */
export function leadOf({ failed, refused, parts }: ProblemOf): ProblemEvent | null {
  if (failed ?? refused) return failed ?? refused;
  const [first] = TELLING.flatMap((kind) => parts.find((p) => p.kind === kind) ?? []);
  return first ?? null;
}

export const isLeft = ({ parts: [first] }: ProblemOf): boolean => first !== undefined && isLeak(first);
