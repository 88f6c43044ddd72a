/** Runs endpoints and labs without the agent around them, and keeps what they emit for the tests. */
import { readFileSync } from 'node:fs';
import {
  decodeHeader,
  endpointNames,
  toErrorInfo,
  type Check,
  type EmittedEvent,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointOp,
  type ErrorInfo,
  type EventKind,
  type FrameHeader,
  type LabContext,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import { CallLog, resultWriter, type Lab } from '@verbslab/labs';
import { Simulations } from '../src/simulator/simulation.js';
import { spawnEndpoint, type SpawnEndpointOptions } from '../src/endpoint/index.js';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';

export const DEVICE = 'uroce0';

type Event = EmittedEvent & { endpoint?: string };
type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;

export class Recording {
  readonly clock = process.hrtime.bigint();
  readonly events: Event[] = [];
  /** `after`: number of events that had come before the frame. */
  readonly frames: { header: FrameHeader; frame: Uint8Array; endpoint: string; after: number }[] = [];
  readonly log: string[] = [];
  readonly callLog = new CallLog();

  of<K extends EventKind>(kind: K, endpoint?: string): EventOf<K>[] {
    return this.events.filter(
      (event): event is EventOf<K> =>
        event.kind === kind && (endpoint === undefined || event.endpoint === endpoint),
    );
  }

  calls(endpoint?: string): string[] {
    return this.of('verb', endpoint).map(({ call }) => call);
  }

  spawn(name: string, over: Partial<SpawnEndpointOptions> = {}): Promise<HostedEndpoint> {
    return spawnEndpoint({
      name,
      device: DEVICE,
      clock: this.clock,
      onEvents: (events) => {
        this.callLog.take(name, events);
        this.events.push(...events.map((event) => ({ ...event, endpoint: name })));
      },
      onFrame: (frame) =>
        this.frames.push({ header: decodeHeader(frame), frame, endpoint: name, after: this.events.length }),
      onLog: (text) => this.log.push(text),
      ...over,
    });
  }
}

export interface LabRun {
  recording: Recording;
  endpoints: Record<string, HostedEndpoint>;
  checks: Check[];
  answer: string | null;
  transports: Partial<Record<Transport, TransportResult>>;
  states: string[];
  /** Steps begun, in order. */
  steps: string[];
  /** Settles with the procedure. */
  finished: Promise<void>;
  cancel: AbortController;
  close(): Promise<void>;
}

/** A command and its answer, in the form of `packages/labs/test/recordings`. */
export interface RecordedCall {
  role: string;
  op: EndpointOp;
  args: unknown;
  result?: unknown;
  error?: ErrorInfo;
}

/**
 * Changes a command of a lab before the endpoint gets it, so that the lab meets a device or a peer that behaves
 * differently.
 */
export interface Meddling {
  /** Role in the run, for example `client-1`. */
  role: string;
  op: EndpointOp;
  change(args: unknown, endpoint: EndpointHandle): unknown;
}

export const meddle = <K extends EndpointOp>(
  role: string,
  op: K,
  change: (args: EndpointArgs<K>, endpoint: EndpointHandle) => EndpointArgs<K> | Promise<EndpointArgs<K>>,
): Meddling => ({ role, op, change: change });

export interface LabRunOptions {
  meddling?: readonly Meddling[];
  /** Called with every command and its answer, in the order of the answers. */
  onCall?: (call: RecordedCall) => void;
  params?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Called before each step; the step waits for it. */
  gate?: (step: string) => Promise<void>;
}

/** Opens an endpoint for each role and starts the procedure. */
export async function startLab(lab: Lab, options: LabRunOptions = {}): Promise<LabRun> {
  const recording = new Recording();
  const params = lab.parse(options.params ?? {});
  const names = endpointNames(lab.description.roles, params as Record<string, unknown>);
  const opened = await Promise.all(
    names.map(({ name }) => recording.spawn(name, { env: options.env ?? {} })),
  );
  const endpoints = Object.fromEntries(opened.map((endpoint) => [endpoint.name, endpoint]));
  const cancel = new AbortController();
  let sources = 0;
  const run: LabRun = {
    recording,
    endpoints,
    checks: [],
    answer: null,
    transports: {},
    states: [],
    steps: [],
    finished: Promise.resolve(),
    cancel,
    close: async () => {
      await simulations.settled();
      await Promise.all(opened.map((endpoint) => endpoint.close(3000)));
    },
  };
  const endpoint = (name: string): EndpointHandle => {
    const found = endpoints[name];
    if (!found) throw new Error(`no endpoint ${name}`);
    const used = options.meddling ? meddled(found, options.meddling) : found;
    return options.onCall ? observed(used, options.onCall) : used;
  };
  const simulations = new Simulations(cancel.signal, (simulation) =>
    recording.events.push({ kind: 'simulation', ...simulation }),
  );
  const ctx: LabContext<unknown> = {
    params,
    mode: options.gate ? 'step' : 'all',
    signal: cancel.signal,
    endpoint,
    endpoints: (role) => names.filter((one) => one.role === role).map(({ name }) => endpoint(name)),
    ...resultWriter(lab.description, (event) => recording.events.push(event)),
    calls: recording.callLog.calls,
    kill: async (name) => {
      endpoints[name]!.kill();
      await endpoints[name]!.exited;
    },
    simulate: (scenario, options) => simulations.run(scenario, options),
    now: () => Number(process.hrtime.bigint() - recording.clock),
    emit: (event) => recording.events.push(event),
    source: (endpoint, info) => {
      sources++;
      recording.events.push({ kind: 'source', source: sources, ...info, endpoint });
      return sources;
    },
    step: async (id, body) => {
      const index = lab.description.steps?.findIndex((step) => step.id === id) ?? -1;
      if (index < 0) throw new Error(`no step ${id}`);
      await options.gate?.(id);
      run.steps.push(id);
      recording.events.push({ kind: 'step', phase: 'begin', id, index });
      const result = await body();
      recording.events.push({ kind: 'step', phase: 'end', id, index, ok: true });
      return result;
    },
    draining: () => run.states.push('draining'),
    progress: (fraction, text, secondsLeft) =>
      recording.events.push({ kind: 'progress', fraction, text, secondsLeft: secondsLeft ?? null }),
    note: (text) => recording.events.push({ kind: 'note', text }),
    answer: (text) => (run.answer = text),
    check: (id, ok, detail) => run.checks.push({ id, ok, detail }),
    doesNotApply: (id, why) => run.checks.push({ id, ok: true, applies: false, detail: why }),
    transport: (transport, result) => {
      run.transports[transport] = result;
    },
  };
  const { intends = [] } = lab.description;
  if (intends.length > 0) ctx.emit({ kind: 'intended', refusals: [...intends] });
  run.finished = lab.run(ctx);
  run.finished.catch(() => undefined);
  return run;
}

function meddled(endpoint: EndpointHandle, meddling: readonly Meddling[]): EndpointHandle {
  return {
    name: endpoint.name,
    device: endpoint.device,
    has: (capability) => endpoint.has(capability),
    call: async (op, args) => {
      let changed: unknown = args;
      for (const one of meddling)
        if (one.role === endpoint.name && one.op === op) changed = await one.change(changed, endpoint);
      return endpoint.call(op, changed as typeof args);
    },
  };
}

function observed(endpoint: EndpointHandle, onCall: (call: RecordedCall) => void): EndpointHandle {
  const role = endpoint.name;
  return {
    name: role,
    device: endpoint.device,
    has: (capability) => endpoint.has(capability),
    call: async (op, args) => {
      try {
        const result = await endpoint.call(op, args);
        onCall({ role, op, args, result });
        return result;
      } catch (error) {
        onCall({ role, op, args, error: toErrorInfo(error) });
        throw error;
      }
    },
  };
}

/** True if a process with this id lives (a zombie does not). */
export function alive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until something holds; fails with `what` after `ms`. */
export async function eventually(what: string, holds: () => boolean, ms = 60_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
