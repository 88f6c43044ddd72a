import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  AppError,
  FaultsWordError,
  parseJson,
  parsePlanned,
  parseRule,
  zEventBody,
  zFaults,
  type PlannedFaults,
} from '@verbslab/protocol';
import { z } from 'zod';
import type { AgentAddress, AgentClient } from '../client/client.js';
import { download } from '../client/download.js';
import { findRun } from '../client/find-run.js';

const NS = 1e9;

/** What the words of the command line mean; what is wrong with them as AppError USAGE. */
export function readWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FaultsWordError)) throw error;
    throw new AppError('USAGE', { detail: error.message, hint: `Give ${error.expected}.` });
  }
}

const zEvents = z.object({
  events: z.array(z.object({ t: z.number(), kind: z.string(), endpoint: z.string().optional() }).loose()),
});

/** What a person injected into a run, and when, from its stream. */
async function injected(response: IncomingMessage): Promise<PlannedFaults[]> {
  const { events } = zEvents.parse(parseJson(await text(response)));
  let began = 0;
  return events.flatMap((event): PlannedFaults[] => {
    const body = zEventBody.safeParse(event).data;
    if (body?.kind === 'run.state' && body.state === 'running') began = event.t;
    if (body?.kind !== 'faults') return [];
    const { endpoint } = event;
    const at = Math.max(0, (event.t - began) / NS);
    return [{ at, ...(endpoint === undefined ? {} : { endpoint }), faults: zFaults.parse(body) }];
  });
}

/** Of a run that has ended or goes on. */
export async function injectedInto(
  client: AgentClient,
  address: AgentAddress,
  name: string,
): Promise<PlannedFaults[]> {
  const { id } = await findRun(client, name);
  return injected(await download(address, `/api/runs/${id}.json`));
}

export interface PlanOptions {
  faults?: string[];
  faultRule?: string[];
  replayFaults?: string;
}

/** The plan of `verbslab run`: what its options say, then what was injected into the run that they name. */
export async function plannedFaults(
  { faults = [], faultRule = [], replayFaults }: PlanOptions,
  replay: (name: string) => Promise<PlannedFaults[]>,
): Promise<PlannedFaults[]> {
  const plan = readWords(() => faults.map(parsePlanned));
  const rules = readWords(() => faultRule.map(parseRule));
  if (rules.length > 0) {
    const first = plan.find(({ at, endpoint }) => at === 0 && endpoint === undefined);
    if (first) first.faults.rules = rules;
    else plan.unshift({ at: 0, faults: { rules } });
  }
  return replayFaults === undefined ? plan : [...plan, ...(await replay(replayFaults))];
}
