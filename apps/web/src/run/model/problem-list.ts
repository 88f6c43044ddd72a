import {
  counterFaults,
  incidentsOf,
  isFlush,
  isLeak,
  isProblem,
  problemCount,
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
  /** Objects that were left behind. */
  leaks: RunEventOf<'finding'>[];
  /** Work requests that were still queued when their QP went to ERR: no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  count: number;
}

const byTime = (a: ProblemEvent, b: ProblemEvent): number => a.t - b.t || a.seq - b.seq;

/** What went wrong in a run, by the same rules by which the agent counts it. */
export function problemList(model: RunModel): ProblemList {
  const seen = [...model.problems, ...model.trace, ...model.checks.values()];
  const problems = seen.filter((e): e is ProblemEvent => isProblem(e)).sort(byTime);
  const { incidents, others } = incidentsOf(problems);
  const leaks = others.filter((e): e is RunEventOf<'finding'> => isLeak(e));
  const events = others.filter((e) => !isLeak(e));
  const flushes = seen.filter((e): e is RunEventOf<'completion'> => e.kind === 'completion' && isFlush(e.wc));
  const faults = [...model.counters].flatMap(([endpoint, { before, latest }]) =>
    counterFaults(before, latest).map((fault) => ({ ...fault, endpoint })),
  );
  return { incidents, events, faults, leaks, flushes, count: problemCount(problems) + faults.length };
}
