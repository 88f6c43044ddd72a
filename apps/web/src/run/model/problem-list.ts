import { counterFaults, isFlush, isProblem, type CounterFault, type RunEventOf } from '@verbslab/protocol';
import type { Problem, RunModel } from './run-model';

export interface EndpointFault extends CounterFault {
  endpoint: string;
}

export interface ProblemList {
  /** In the order in which they happened. */
  events: (Problem | RunEventOf<'check'>)[];
  faults: EndpointFault[];
  /** Work requests that were still queued when their QP went to ERR: no problem by themselves. */
  flushes: RunEventOf<'completion'>[];
  count: number;
}

/** What went wrong in a run, by the same rules by which the agent counts it. */
export function problemList(model: RunModel): ProblemList {
  const seen = [...model.problems, ...model.trace, ...model.checks.values()];
  const events = seen.filter((e): e is ProblemList['events'][number] => isProblem(e));
  const flushes = seen.filter((e): e is RunEventOf<'completion'> => e.kind === 'completion' && isFlush(e.wc));
  const faults = [...model.counters].flatMap(([endpoint, { before, latest }]) =>
    counterFaults(before, latest).map((fault) => ({ ...fault, endpoint })),
  );
  return { events, faults, flushes, count: events.length + faults.length };
}
