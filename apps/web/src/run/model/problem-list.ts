import {
  counterFaults,
  isFlush,
  isLeak,
  isProblem,
  type CounterFault,
  type RunEventOf,
} from '@verbslab/protocol';
import type { Problem, RunModel } from './run-model';

export interface EndpointFault extends CounterFault {
  endpoint: string;
}

export interface ProblemList {
  /** In the order in which they happened, leaks left out. */
  events: (Problem | RunEventOf<'check'>)[];
  faults: EndpointFault[];
  /** Objects that were left behind. */
  leaks: RunEventOf<'finding'>[];
  /** Work requests that were still queued when their QP went to ERR: no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  count: number;
}

/** What went wrong in a run, by the same rules by which the agent counts it. */
export function problemList(model: RunModel): ProblemList {
  const seen = [...model.problems, ...model.trace, ...model.checks.values()];
  const problems = seen.filter((e): e is ProblemList['events'][number] => isProblem(e));
  const leaks = problems.filter((e): e is RunEventOf<'finding'> => isLeak(e));
  const events = problems.filter((e) => !isLeak(e)).sort((a, b) => a.t - b.t || a.seq - b.seq);
  const flushes = seen.filter((e): e is RunEventOf<'completion'> => e.kind === 'completion' && isFlush(e.wc));
  const faults = [...model.counters].flatMap(([endpoint, { before, latest }]) =>
    counterFaults(before, latest).map((fault) => ({ ...fault, endpoint })),
  );
  return { events, faults, leaks, flushes, count: problems.length + faults.length };
}
