'use client';
import { CAUSES } from '@verbslab/protocol';
import { isLeft, leadOf, type ProblemEvent, problemId, type ProblemOf } from '@verbslab/report/failure';
import { count } from '../../format/number';
import type { PhaseStore } from '../../model/phases';
import type { RunModel } from '../../model/run-model';
import { Evidence, FaultStory, ProblemStory } from './evidence';
import { IncidentStory } from './incident';

/** A problem: its description, with all reports of it behind. */
export function ProblemEntry({ problem, model }: { problem: ProblemOf; model: RunModel }) {
  const { parts, faults } = problem;
  const lead = leadOf(problem);
  if (!lead) return <CountedProblem problem={problem} phases={model.phases} />;
  if (isLeft(problem) && parts.length > 1)
    return <LeftBehind parts={parts} lead={lead} phases={model.phases} />;
  const incident = problem.failed !== null || problem.refused !== null;
  const rest = parts.filter((p) => p !== lead && p !== problem.failed && p !== problem.refused);
  return (
    <li
      id={problemId(lead)}
      className="py-1.5 text-13 target:bg-accent-wash"
      data-problem={incident ? 'incident' : lead.kind}
      data-lead={lead.seq}
    >
      {incident ? (
        <IncidentStory incident={problem} model={model} />
      ) : (
        <div data-kind={lead.kind} data-shows="problem">
          <ProblemStory problem={lead} phases={model.phases} />
        </div>
      )}
      <Evidence phases={model.phases} parts={rest} faults={faults} open={false} />
    </li>
  );
}

/** A problem that only counters show. */
function CountedProblem({ problem: { faults, cause }, phases }: { problem: ProblemOf; phases: PhaseStore }) {
  const [only, ...more] = faults;
  return (
    <li className="py-1.5 text-13" data-problem="counter" data-cause={cause}>
      {more.length === 0 ? (
        <div data-shows="fault">
          <FaultStory fault={only!} />
        </div>
      ) : (
        <>
          <p
            className={faults.some(({ lost }) => lost) ? 'text-error-ink' : 'text-retx-ink'}
            data-shows="cause"
          >
            {CAUSES[cause!]}
          </p>
          <Evidence phases={phases} parts={[]} faults={faults} open />
        </>
      )}
    </li>
  );
}

/** Objects that a process did not destroy, in an order in which it can destroy them. */
function LeftBehind({
  parts,
  lead,
  phases,
}: {
  parts: readonly ProblemEvent[];
  lead: ProblemEvent;
  phases: PhaseStore;
}) {
  const objects = parts.reduce((sum, p) => sum + (p.kind === 'finding' ? p.count : 0), 0);
  return (
    <li className="py-1.5 text-13" data-problem="leaks" data-lead={lead.seq}>
      <p className="text-retx-ink" data-shows="leaks" data-endpoint={lead.endpoint}>
        {lead.endpoint ? `${lead.endpoint} left` : 'Left'} {count(objects)} objects behind.
      </p>
      <Evidence phases={phases} parts={parts} faults={[]} open />
    </li>
  );
}
