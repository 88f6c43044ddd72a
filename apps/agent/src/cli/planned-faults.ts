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

/** Reads words of the command line. A mistake in them becomes AppError USAGE. */
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
type Events = z.infer<typeof zEvents>['events'];

/** Faults that were injected into a run, ns after its first event. */
interface Injected {
  t: number;
  endpoint: string | undefined;
  faults: PlannedFaults['faults'];
}

const injectedIn = (events: Events): Injected[] =>
  events.flatMap(({ t, endpoint, ...event }): Injected[] => {
    const body = zEventBody.safeParse(event).data;
    return body?.kind === 'faults' ? [{ t, endpoint, faults: zFaults.parse(body) }] : [];
  });

async function eventsOf(client: AgentClient, address: AgentAddress, name: string): Promise<Events> {
  const { id } = await findRun(client, name);
  return zEvents.parse(parseJson(await text(await download(address, `/api/runs/${id}.json`)))).events;
}

/** Start of the times of a plan, ns. The run of a program goes on before its first process has opened the device. */
function beganAt(events: Events): number {
  const running = events.find(({ kind, state }) => kind === 'run.state' && state === 'running');
  const opened = events.find(({ kind }) => kind === 'endpoint');
  return Math.max(running?.t ?? 0, opened?.t ?? 0);
}

/** Returns what a person injected into a run, ended or not, and when. */
export async function injectedInto(
  client: AgentClient,
  address: AgentAddress,
  name: string,
): Promise<PlannedFaults[]> {
  const events = await eventsOf(client, address, name);
  const began = beganAt(events);
  return injectedIn(events).map(({ t, endpoint, faults }) => ({
    at: Math.max(0, (t - began) / NS),
    ...(endpoint === undefined ? {} : { endpoint }),
    faults,
  }));
}

/** Faults within this time after a process opened the device count as set from its start, s. */
const AT_ONCE = 0.05;

/**
 * Faults injected into the processes of a program. Processes are numbered in the order in which they appear, since
 * their names differ each time.
 */
export function injectedByOrder(events: Events): PlannedFaults[] {
  const opened = new Map<string, number>();
  for (const { kind, endpoint = '', t } of events)
    if (kind === 'endpoint' && !opened.has(endpoint)) opened.set(endpoint, t);
  const names = [...opened.keys()];
  return injectedIn(events).map(({ t, endpoint = '', faults }) => {
    const at = (t - (opened.get(endpoint) ?? 0)) / NS;
    return {
      at: at < AT_ONCE ? 0 : at,
      ...(names.length === 1 ? {} : { endpoint: String(1 + names.indexOf(endpoint)) }),
      faults,
    };
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

/** Faults and rules as a plan: the rules hold from the start. Throws AppError USAGE for words that are none. */
export function planFrom(faults: readonly string[], faultRule: readonly string[]): PlannedFaults[] {
  const plan = readWords(() => faults.map(parsePlanned));
  const rules = readWords(() => faultRule.map(parseRule));
  if (rules.length > 0) {
    const first = plan.find(({ at, endpoint }) => at === 0 && endpoint === undefined);
    if (first) first.faults.rules = rules;
    else plan.unshift({ at: 0, faults: { rules } });
  }
  return plan;
}

/** The plan of a run: the faults of its options, then those injected into the run that the options name. */
export async function plannedFaults(
  { faults = [], faultRule = [], replayFaults }: PlanOptions,
  replay: (name: string) => Promise<PlannedFaults[]>,
): Promise<PlannedFaults[]> {
  const plan = planFrom(faults, faultRule);
  return replayFaults === undefined ? plan : [...plan, ...(await replay(replayFaults))];
}
