import type { LabDescription, QpState, RunEventOf, StepQuestion } from '@verbslab/protocol';
import type { RunModel, TraceEvent } from './run-model';

export type StepState = 'pending' | 'waiting' | 'active' | 'done' | 'failed';

/** Events, packets and states of a step of a lab. */
export interface StepLog {
  id: string;
  index: number;
  title: string;
  /** Title in a row of all steps. */
  short?: string | undefined;
  text: string;
  /** Asked before the step runs. */
  question?: StepQuestion | undefined;
  /** C code of the step besides its verbs calls. */
  c?: string | undefined;
  state: StepState;
  /** Nanoseconds since the run was created; NaN before the step has begun or ended. */
  begin: number;
  end: number;
  events: Exclude<TraceEvent, { kind: 'step' }>[];
  /** Indices into the run's packets. */
  packets: number[];
  /** QP state by endpoint after the step; null without a QP. */
  states: Readonly<Record<string, QpState | null>>;
  /** Transitions made in the step, by endpoint. */
  moves: Readonly<Record<string, readonly [QpState, QpState][]>>;
}

/** Title of a role of the lab; its name if the lab does not have it. */
export const roleTitle = (lab: LabDescription, role: string): string =>
  lab.roles.find(({ name }) => name === role)?.title ?? role;

/** Calls of a step by their starts: a call is recorded when it returns. */
export const callsOf = ({ events }: StepLog): RunEventOf<'verb'>[] =>
  events.flatMap((e) => (e.kind === 'verb' ? [e] : [])).sort((a, b) => a.t - b.t);

/** Groups the trace of a run by the steps of its lab. Events between two steps belong to the earlier one. */
export function stepLog(model: RunModel, lab: LabDescription): StepLog[] {
  const roles = lab.roles.map((r) => r.name);
  const steps: StepLog[] = (lab.steps ?? []).map((s, index) => ({
    ...s,
    index,
    state: model.record.waitingFor === s.id ? 'waiting' : 'pending',
    begin: NaN,
    end: NaN,
    events: [],
    packets: [],
    states: {},
    moves: {},
  }));
  const states: Record<string, QpState | null> = Object.fromEntries(roles.map((r) => [r, null]));
  let current = 0;
  const at = () => steps[current];

  for (const e of model.trace) {
    if (e.kind === 'step') {
      const step = steps[e.index];
      if (!step) continue;
      if (e.phase === 'begin') {
        if (e.index !== current) closeStates(at(), states);
        current = e.index;
        step.begin = e.t;
        step.state = 'active';
      } else {
        step.end = e.t;
        step.state = e.ok === false ? 'failed' : 'done';
        closeStates(step, states);
      }
      continue;
    }
    const step = at();
    if (!step) continue;
    step.events.push(e);
    const role = e.endpoint ?? '';
    if (e.kind === 'qp') {
      states[role] = e.to;
      const moves = step.moves as Record<string, [QpState, QpState][]>;
      (moves[role] ??= []).push([e.from, e.to]);
    } else if (e.kind === 'verb' && !e.error) {
      if (e.call === 'ibv_create_qp') states[role] ??= 'RESET';
      if (e.call === 'ibv_destroy_qp') states[role] = null;
    }
    closeStates(step, states);
  }
  // Steps that have not been reached show the present states.
  let last: StepLog['states'] = Object.fromEntries(roles.map((r) => [r, null]));
  for (const s of steps) {
    if (Object.keys(s.states).length === 0) s.states = last;
    else last = s.states;
  }
  placePackets(model, steps);
  return steps;
}

function closeStates(step: StepLog | undefined, states: Record<string, QpState | null>): void {
  if (step) step.states = { ...states };
}

/** Assigns each packet to the latest step that had begun when it passed the tap. */
function placePackets(model: RunModel, steps: readonly StepLog[]): void {
  const begun = steps.filter((s) => !Number.isNaN(s.begin));
  if (begun.length === 0) return;
  model.packets.all.forEach((p, i) => {
    const step = begun.findLast((s) => s.begin <= p.t) ?? begun[0]!;
    step.packets.push(i);
  });
}
