/** Answer of a run to the question before a step: the option whose conditions hold in what the run recorded. */
import type { StepCondition, StepQuestion } from '@verbslab/protocol';
import { arrowLabel } from '@verbslab/roce';
import { count } from '../format/number';
import { knownConnections } from './known-connections';
import { runPackets } from './packet-rows';
import type { RunModel } from './run-model';
import type { StepLog } from './step-log';

export interface StepAnswer {
  /** Id of the option that the run shows to be right; null if it shows none, or several. */
  right: string | null;
  /** What was counted: `3 packets of the client (WRITE)`. */
  counted: readonly string[];
}

/** What a condition is applied to: a step, and the steps up to it. */
interface Seen {
  model: RunModel;
  steps: readonly StepLog[];
}

/** True if an argument of the call has this name, or this value, at any depth. */
function names(args: unknown, word: string): boolean {
  if (typeof args !== 'object' || args === null) return args === word;
  return Array.isArray(args)
    ? args.some((one) => names(one, word))
    : Object.entries(args).some(([name, value]) => name === word || names(value, word));
}

/** Packets that left a role, or all; null if the run has no tap. */
function packetsOf({ model, steps }: Seen, { at, of = '' }: StepCondition): number | null {
  if (![...model.sources.values()].some(({ what }) => what === 'tap')) return null;
  const rows = runPackets(model.packets);
  const analysis = rows.analysis(() => knownConnections(model));
  const roles = [...model.endpoints.keys()];
  return steps
    .flatMap((step) => step.packets)
    .filter((i) => {
      // A packet that two taps saw is one packet.
      if (analysis && analysis.departureOf[i]! >= 0) return false;
      const row = rows.at(i)!;
      if (!arrowLabel(row).startsWith(of)) return false;
      const tap = model.sources.get(rows.source(i)!)?.endpoint;
      const others = roles.filter((role) => role !== tap);
      // With three roles, either of the others may have sent it.
      const sender = row.direction === 'out' ? tap : others.length === 1 ? others[0] : undefined;
      return at === undefined || sender === at;
    }).length;
}

/** Number that a condition is about; null if the run did not record such things. */
function counted(seen: Seen, condition: StepCondition): number | null {
  const { count: what, at, of, with: word, failed = false } = condition;
  if (what === 'packets') return packetsOf(seen, condition);
  return seen.steps
    .flatMap(({ events }) => events)
    .filter((e) => {
      switch (e.kind) {
        case 'verb':
          return (
            what === 'calls' &&
            (at === undefined || e.endpoint === at) &&
            (of === undefined || e.call === of) &&
            (!failed || e.error !== undefined) &&
            (word === undefined || names(e.args, word))
          );
        case 'completion':
          return (
            what === 'completions' &&
            (at === undefined || e.endpoint === at) &&
            (of === undefined || e.wc.statusName === of) &&
            (!failed || e.wc.status !== 0)
          );
        case 'exchange':
          return what === 'exchanges' && (at === undefined || e.from === at);
        case 'async':
          return (
            what === 'async' &&
            (at === undefined || e.endpoint === at) &&
            (of === undefined || e.event === of)
          );
        case 'qp':
        case 'wr':
          return false;
      }
    }).length;
}

const NOUNS: Readonly<Record<StepCondition['count'], readonly [one: string, many: string]>> = {
  calls: ['call', 'calls'],
  packets: ['packet', 'packets'],
  completions: ['completion', 'completions'],
  exchanges: ['exchange outside of RDMA', 'exchanges outside of RDMA'],
  async: ['asynchronous event', 'asynchronous events'],
};

function words({ count: what, at, of, with: word, failed, soFar }: StepCondition, n: number): string {
  const [one, many] = NOUNS[what];
  const kind = of === undefined ? '' : what === 'calls' ? ` of ${of}` : ` (${of})`;
  const naming = word === undefined ? '' : ` with ${word}`;
  const whose = at === undefined ? '' : what === 'completions' ? ` at the ${at}` : ` by the ${at}`;
  const how = !failed ? '' : what === 'calls' ? ' that failed' : ' in error';
  return `${count(n)} ${n === 1 ? one : many}${kind}${naming}${how}${whose}${soFar ? ' so far' : ''}`;
}

/** Null before the step is over. */
export function stepAnswer(
  model: RunModel,
  steps: readonly StepLog[],
  step: StepLog,
  question: StepQuestion,
): StepAnswer | null {
  if (step.state !== 'done') return null;
  const numberOf = (condition: StepCondition): number | null =>
    counted({ model, steps: condition.soFar ? steps.slice(0, step.index + 1) : [step] }, condition);
  const holds = (condition: StepCondition): boolean => {
    const n = numberOf(condition);
    return n !== null && n >= (condition.min ?? 0) && n <= (condition.max ?? Infinity);
  };
  const right = question.options.filter(({ when }) => when !== undefined && when.every(holds));
  const told = right.length === 1 ? right[0]!.when! : question.options.flatMap(({ when = [] }) => when);
  const texts = told.flatMap((condition) => {
    const n = numberOf(condition);
    return n === null ? [] : [words(condition, n)];
  });
  return { right: right.length === 1 ? right[0]!.id : null, counted: [...new Set(texts)] };
}
