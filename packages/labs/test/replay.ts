/** Runs a lab's procedure against answers that real endpoints once gave (recordings/). */
import { readFileSync } from 'node:fs';
import {
  AppError,
  ENDPOINT_OPS,
  type Check,
  type DeviceInfo,
  type EmittedEvent,
  type EndpointHandle,
  type EndpointOp,
  type ErrorInfo,
  type LabContext,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import { findLab, resultWriter } from '../src/index.js';

export interface RecordedCall {
  role: string;
  op: EndpointOp;
  args: unknown;
  result?: unknown;
  error?: ErrorInfo;
}

export interface Recording {
  lab: string;
  params: Record<string, unknown>;
  devices: Record<string, DeviceInfo>;
  calls: RecordedCall[];
}

export function loadRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`./recordings/${name}.json`, import.meta.url), 'utf8')) as Recording;
}

export interface Replayed {
  checks: Check[];
  answer: string | null;
  events: EmittedEvent[];
  steps: string[];
  transports: Partial<Record<Transport, TransportResult>>;
  draining: boolean;
  error: AppError | null;
  /** Unrequested answers. */
  left: RecordedCall[];
}

/** The i-th answer to an operation of a role goes to the i-th time that it is asked. */
export async function replay(recording: Recording): Promise<Replayed> {
  const lab = findLab(recording.lab);
  const left = [...recording.calls];
  const out: Replayed = {
    checks: [],
    answer: null,
    events: [],
    steps: [],
    transports: {},
    draining: false,
    error: null,
    left,
  };
  const endpoint = (role: string): EndpointHandle => {
    const device = recording.devices[role];
    if (!device) throw new Error(`no role ${role}`);
    return {
      name: role,
      device,
      has: (capability) => device.capabilities.includes(capability),
      call: (op, args) => {
        // The procedure’s arguments must be allowed by the protocol.
        ENDPOINT_OPS[op].args.parse(JSON.parse(JSON.stringify(args)));
        const index = left.findIndex((call) => call.role === role && call.op === op);
        const [call] = index < 0 ? [] : left.splice(index, 1);
        if (!call) return Promise.reject(new Error(`nothing recorded for ${role} ${op}`));
        if (call.error) return Promise.reject(AppError.from(call.error));
        return Promise.resolve(ENDPOINT_OPS[op].result.parse(call.result) as never);
      },
    };
  };
  let sources = 0;
  const ctx: LabContext<unknown> = {
    params: lab.parse(recording.params),
    mode: 'all',
    signal: new AbortController().signal,
    endpoint,
    endpoints: (role) => [endpoint(role)],
    ...resultWriter(lab.description, (event) => out.events.push(event)),
    calls: () => [],
    kill: () => Promise.reject(new Error('a recording has no process to kill')),
    simulate: () => Promise.reject(new Error('a recording has no simulator')),
    now: () => 0,
    emit: (event) => out.events.push(event),
    source: () => ++sources,
    step: (id, body) => {
      out.steps.push(id);
      return body();
    },
    draining: () => (out.draining = true),
    progress: () => undefined,
    note: (text) => out.events.push({ kind: 'note', text }),
    answer: (text) => (out.answer = text),
    check: (id, ok, detail) => out.checks.push({ id, ok, detail }),
    doesNotApply: (id, why) => out.checks.push({ id, ok: true, applies: false, detail: why }),
    transport: (transport, result) => (out.transports[transport] = result),
  };
  try {
    await lab.run(ctx);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    out.error = error;
  }
  return out;
}
