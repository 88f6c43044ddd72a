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
function injected(events: z.infer<typeof zEvents>['events']): PlannedFaults[] {
  let began = 0;
  let opened = false;
  return events.flatMap((event): PlannedFaults[] => {
    const body = zEventBody.safeParse(event).data;
    // The run of a program goes on before its first process has opened the device.
    if (body?.kind === 'run.state' && body.state === 'running') began = Math.max(began, event.t);
    if (body?.kind === 'endpoint' && !opened) {
      opened = true;
      began = Math.max(began, event.t);
    }
    if (body?.kind !== 'faults') return [];
    const { endpoint } = event;
    const at = Math.max(0, (event.t - began) / NS);
    return [{ at, ...(endpoint === undefined ? {} : { endpoint }), faults: zFaults.parse(body) }];
  });
}

async function eventsOf(
  client: AgentClient,
  address: AgentAddress,
  name: string,
): Promise<z.infer<typeof zEvents>['events']> {
  const { id } = await findRun(client, name);
  return zEvents.parse(parseJson(await text(await download(address, `/api/runs/${id}.json`)))).events;
}

/** Of a run that has ended or goes on. */
export async function injectedInto(
  client: AgentClient,
  address: AgentAddress,
  name: string,
): Promise<PlannedFaults[]> {
  return injected(await eventsOf(client, address, name));
}

/** What a process was told as it opened the device, s. */
const AT_ONCE = 0.05;

/** The same for the processes of a program, whose names are others each time: by the order in which they come. */
export function injectedByOrder(events: z.infer<typeof zEvents>['events']): PlannedFaults[] {
  const opened = new Map<string, number>();
  for (const { kind, endpoint = '', t } of events)
    if (kind === 'endpoint' && !opened.has(endpoint)) opened.set(endpoint, t);
  const names = [...opened.keys()];
  return events.flatMap((event): PlannedFaults[] => {
    const body = zEventBody.safeParse(event).data;
    if (body?.kind !== 'faults') return [];
    const { endpoint = '', t } = event;
    const at = (t - (opened.get(endpoint) ?? 0)) / NS;
    return [
      {
        at: at < AT_ONCE ? 0 : at,
        ...(names.length === 1 ? {} : { endpoint: String(1 + names.indexOf(endpoint)) }),
        faults: zFaults.parse(body),
      },
    ];
  });
}

export async function injectedIntoProgram(
  client: AgentClient,
  address: AgentAddress,
  name: string,
): Promise<PlannedFaults[]> {
  return injectedByOrder(await eventsOf(client, address, name));
}

export interface PlanOptions {
  faults?: string[];
  faultRule?: string[];
  replayFaults?: string;
}

/** The plan of a run: what its options say, then what was injected into the run that they name. */
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
