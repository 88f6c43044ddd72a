import {
  counterFaults,
  errnoOf,
  incidentsOf,
  isFlush,
  isIntendedFault,
  isLeak,
  isProblem,
  lookupWcStatus,
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
  /** Which these are, each once: names of statuses, events, refused calls and counters. */
  intendedNames: string[];
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
  const left = new Set<unknown>([...problems, ...faults]);
  const names = [
    ...all.filter((e) => !left.has(e)).map(nameOf),
    ...moved.filter((fault) => !left.has(fault)).map(({ name }) => name),
  ];
  const intended = all.length - problems.length + moved.length - faults.length;
  return {
    incidents,
    events,
    faults,
    leaks,
    flushes,
    intended,
    intendedNames: [...new Set(names)],
    count: problemCount(problems) + faults.length,
  };
}
