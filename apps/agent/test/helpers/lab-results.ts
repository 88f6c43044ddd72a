/** Results of a run of a lab, and runs in which an endpoint gives other answers. */
import {
  noResults,
  takeResult,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointOp,
  type EndpointResult,
  type LabContext,
  type LabResults,
  type PacketSummary,
  type Scenario,
  type Simulated,
} from '@verbslab/protocol';
import { TOO_BUSY, type Lab } from '@verbslab/labs';
import { startLab, type LabRun, type LabRunOptions } from '../endpoint-harness.js';

export interface FinishedLab {
  results: LabResults;
  checks: LabRun['checks'];
  answer: string | null;
}

/** Runs a lab on real endpoints to its end. */
export async function finishLab(lab: Lab, options: LabRunOptions = {}): Promise<FinishedLab> {
  const run = await startLab(lab, options);
  try {
    await run.finished;
    const results = noResults();
    for (const event of run.recording.events) takeResult(results, event);
    return { results, checks: run.checks, answer: run.answer };
  } finally {
    await run.close();
  }
}

/** Ids of failed checks. */
export const failedChecks = ({ checks }: FinishedLab): string[] =>
  checks.flatMap(({ id, ok }) => (ok ? [] : [id]));

/** Ids of checks decided by load. */
export const tooBusyChecks = ({ checks }: FinishedLab): string[] =>
  checks.flatMap(({ id, detail }) => (detail.startsWith(TOO_BUSY) ? [id] : []));

/** What a simulation says instead. `nth`: 0 for the first one of a run. */
export type ChangedFabric = (done: Simulated, scenario: Scenario, nth: number) => Simulated;

/** Simulations of the lab that ran last, by scenario: the same scenario always gives the same. */
const kept = { lab: '', done: new Map<string, Promise<Simulated>>() };

/** Returns a simulated lab on a fabric that behaves differently. The fabric is simulated once for all changes. */
export const onFabric = (lab: Lab, change: ChangedFabric): Lab => ({
  ...lab,
  run: (ctx) => {
    const { id } = lab.description;
    if (kept.lab !== id) Object.assign(kept, { lab: id, done: new Map() });
    const { done } = kept;
    let nth = 0;
    return lab.run({
      ...ctx,
      simulate: async (scenario, options) => {
        const text = JSON.stringify(scenario);
        if (!done.has(text)) done.set(text, ctx.simulate(scenario, options));
        return change(await done.get(text)!, scenario, nth++);
      },
    });
  },
});

/** A simulation with other members of its result. */
export const withResult = (done: Simulated, result: Partial<Simulated['result']>): Simulated => ({
  ...done,
  result: { ...done.result, ...result },
});

/** Changes commands on their way to an endpoint, or their answers on the way back. */
export interface Tampering {
  args?: <K extends EndpointOp>(op: K, args: EndpointArgs<K>, endpoint: string) => EndpointArgs<K>;
  result?: <K extends EndpointOp>(op: K, result: EndpointResult<K>, endpoint: string) => EndpointResult<K>;
}

/** Returns the lab with endpoints that behave differently than it expects: its checks must notice. */
export function tampered(lab: Lab, { args, result }: Tampering): Lab {
  const change = (endpoint: EndpointHandle): EndpointHandle => ({
    name: endpoint.name,
    device: endpoint.device,
    has: (capability) => endpoint.has(capability),
    call: async (op, given) => {
      const answer = await endpoint.call(op, args ? args(op, given, endpoint.name) : given);
      return result ? result(op, answer, endpoint.name) : answer;
    },
  });
  return {
    ...lab,
    run: (ctx: LabContext<unknown>) =>
      lab.run({
        ...ctx,
        endpoint: (name) => change(ctx.endpoint(name)),
        endpoints: (role) => ctx.endpoints(role).map(change),
      }),
  };
}

/** Removes the first sent packet of this opcode from the capture of an endpoint. */
export const withoutPacket = (victim: string, opcode: number): NonNullable<Tampering['result']> => {
  const isIt = (one: PacketSummary): boolean => one.direction === 'sent' && one.opcode === opcode;
  return (op, result, endpoint) =>
    op === 'tap.flush' && endpoint === victim && 'list' in result
      ? { ...result, list: result.list.filter((_, i, list) => i !== list.findIndex(isIt)) }
      : result;
};
