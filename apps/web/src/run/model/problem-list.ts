import {
  counterFaults,
  incidentsOf,
  isFlush,
  isIntendedFault,
  isLeak,
  isProblem,
  problemCount,
  unintended,
  type CounterFault,
  type Incident,
  type RunEventOf,
} from '@verbslab/protocol';
import type { Problem, RunModel } from './run-model';

export interface EndpointFault extends CounterFault {
  endpoint: string;
}

export type ProblemEvent = Problem | RunEventOf<'check'>;

export interface ProblemList {
  /** Requests that failed, each with all events that report it. */
  incidents: Incident<ProblemEvent>[];
  /** In the order in which they happened, leaks left out. */
  events: ProblemEvent[];
  faults: EndpointFault[];
  /** Objects that were left behind, in the order in which they can be freed. */
  leaks: RunEventOf<'finding'>[];
  /** Work requests that were still queued when their QP went to ERR: no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  /** How much the lab caused on purpose: errors of events and counters that are in no list here. */
  intended: number;
  count: number;
}

/** An object can be freed only after what uses it: QPs first, the context last. */
const FREED: readonly RegExp[] = [/_qp/, /_srq/, /_cq/, /_mr|_mw/, /_pd/];
function turnToFree({ call }: RunEventOf<'finding'>): number {
  if (call.includes('_open_')) return FREED.length;
  const turn = FREED.findIndex((names) => names.test(call));
  // Completion channels and address handles, among others: after the CQs, before the PDs.
  return turn === -1 ? 2.5 : turn;
}

const byTime = (a: ProblemEvent, b: ProblemEvent): number => a.t - b.t || a.seq - b.seq;

/** What went wrong in a run, by the same rules by which the agent counts it. */
export function problemList(model: RunModel): ProblemList {
  const seen = [...model.problems, ...model.trace, ...model.checks.values()];
  const all = seen.filter((e): e is ProblemEvent => isProblem(e)).sort(byTime);
  const problems = unintended(all, model.intended);
  const { incidents, others } = incidentsOf(problems);
  const leaks = others
    .filter((e): e is RunEventOf<'finding'> => isLeak(e))
    .sort((a, b) => turnToFree(a) - turnToFree(b));
  const events = others.filter((e) => !isLeak(e));
  const flushes = seen.filter((e): e is RunEventOf<'completion'> => e.kind === 'completion' && isFlush(e.wc));
  const moved = [...model.counters].flatMap(([endpoint, { before, latest }]) =>
    counterFaults(before, latest).map((fault) => ({ ...fault, endpoint })),
  );
  const faults = moved.filter((fault) => !isIntendedFault(fault, model.intended, fault.endpoint));
  const intended = all.length - problems.length + moved.length - faults.length;
  return {
    incidents,
    events,
    faults,
    leaks,
    flushes,
    intended,
    count: problemCount(problems) + faults.length,
  };
}
