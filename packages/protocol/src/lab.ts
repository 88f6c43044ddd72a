import { z } from 'zod';
import { zCapabilities } from './device.js';
import type { EndpointHandle, SourceInfo } from './endpoint.js';
import type { EmittedEvent, EventBody } from './events.js';
import { zIntended, zPrediction, zResultSpecs, zRole, zVariation, type Guess } from './lab-form.js';
import type { Cell } from './lab-results.js';
import { DEVICE_LIMITS } from './param-rules.js';
import type { RunMode, TransportResult } from './runs.js';
import type { Transport } from './transports.js';

/** What a step does in the picture: to parts of the hosts, and over the wire between them. */
const zStepPicture = z.object({
  makes: z.array(z.string()).optional(),
  uses: z.array(z.string()).optional(),
  removes: z.array(z.string()).optional(),
  sends: z
    .array(
      z.object({
        from: z.string(),
        to: z.string(),
        text: z.string(),
        /** Not as RDMA packets: by a socket, or by hand. */
        outOfBand: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type StepPicture = z.infer<typeof zStepPicture>;

const zLabStep = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  picture: zStepPicture.optional(),
  /**
   * C for what the step does beside its verbs calls, after them; for copying the step as C. Variables are named by side and
   * kind: `client_buf`, `server_mr`. It stands in a function that returns 0, or 1 after an error.
   */
  c: z.string().optional(),
});

/** What a reader knows after the last step, and what to run next. */
const zLabEnding = z.object({
  seen: z.array(z.string()),
  next: z.array(
    z.object({
      title: z.string(),
      text: z.string(),
      lab: z.string(),
      parameters: z.record(z.string(), z.json()).optional(),
    }),
  ),
});
export type LabEnding = z.infer<typeof zLabEnding>;

/** How long a run measures, by the values of parameters. */
const zLabTiming = z.object({
  /** Names of parameters: seconds that the rounds share, how many rounds, and the seconds before each of them. */
  measured: z.string(),
  rounds: z.string(),
  warmUp: z.string(),
  /** How often everything runs one after the other, by the value of a parameter. */
  turns: z.object({ param: z.string(), of: z.record(z.string(), z.int().min(1)) }),
});
export type LabTiming = z.infer<typeof zLabTiming>;

/** As `ParamRule` says. */
const zParamRule = z.object({
  param: z.string(),
  bound: z.enum(['at-most', 'at-least']),
  of: z.union([
    z.object({ param: z.string(), times: z.number().positive().optional() }),
    z.object({ device: z.enum(DEVICE_LIMITS) }),
  ]),
  unless: z.object({ param: z.string(), is: z.string() }).optional(),
  why: z.string(),
});

/** A lab as data: what lists, forms and pages are drawn from. */
export const zLabDescription = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** The question that the lab answers. */
  question: z.string(),
  /** What it does and what you will see: a few sentences. */
  summary: z.string(),
  /** Its place in the catalogue: an id of `TRACKS`. Absent from older agents, as all optional members. */
  track: z.string().optional(),
  /** Reading and running it. */
  minutes: z.int().min(1).optional(),
  /** JSON Schema (2020-12) of the parameters: an object whose properties have title, description, default. */
  params: z.record(z.string(), z.json()),
  /** What must hold between parameters, and of the devices. Absent from older agents. */
  rules: z.array(zParamRule).optional(),
  /** Present where parameters decide how long a run takes. */
  timing: zLabTiming.optional(),
  /** One endpoint each, or as many as `count` says. */
  roles: z.array(zRole),
  /** Panels of a run's page, by id; parts of that page where the lab has steps. */
  watch: z.array(z.string()),
  /** Present when the lab can be gone through step by step. */
  steps: z.array(zLabStep).optional(),
  ending: zLabEnding.optional(),
  /** What a run finds; it fills in by name. */
  results: zResultSpecs.optional(),
  predictions: z.array(zPrediction).optional(),
  variations: z.array(zVariation).optional(),
  /** What must hold at the end. */
  checks: z.array(z.object({ id: z.string(), text: z.string() })),
  /** Refusals and errors that the lab causes on purpose. Absent from older agents. */
  intends: z.array(zIntended).optional(),
  /** Without these the lab cannot run; without `wants` it shows less. */
  needs: zCapabilities,
  wants: zCapabilities,
});
export type LabDescription = z.infer<typeof zLabDescription>;

/** The part of AbortSignal that labs need; this package knows neither Node nor the DOM. */
export interface CancelSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A verbs call of an endpoint. */
export type VerbCall = Extract<EventBody, { kind: 'verb' }>;
/** Calls of one endpoint that are kept for `LabContext.calls`; the oldest go first. */
export const CALLS_KEPT = 4096;

/** What the run manager gives to a lab's procedure. The procedure cannot distinguish a local endpoint from a remote one. */
export interface LabContext<P> {
  readonly params: P;
  readonly mode: RunMode;
  /** Aborted when the run is cancelled or an endpoint died. Pending endpoint calls reject by themselves. */
  readonly signal: CancelSignal;
  /** An endpoint by its name, opened on the chosen device: `server`, or `worker-2` of a role with a count. */
  endpoint(name: string): EndpointHandle;
  /** All endpoints of a role, in order. */
  endpoints(role: string): EndpointHandle[];
  /**
   * The verbs calls of an endpoint since this was last asked for it, with how long each took: what `now` shows around
   * `call` includes the way to the endpoint and back.
   */
  calls(endpoint: string): VerbCall[];
  /** Kills an endpoint’s process as `kill -9` does, and waits until it has gone. The run goes on without the endpoint. */
  kill(endpoint: string): Promise<void>;
  /** Nanoseconds since the run was created. */
  now(): number;
  emit(event: EmittedEvent): void;
  /** Announces a source of binary frames at an endpoint, by its name, and gives its number. */
  source(endpoint: string, info: SourceInfo): number;
  /** One step of the description: waits for its turn in step mode, reports begin and end. */
  step<T>(id: string, body: () => Promise<T>): Promise<T>;
  /** The run measures no more: state `draining`. */
  draining(): void;
  progress(fraction: number, text: string, secondsLeft?: number): void;
  note(text: string): void;
  check(id: string, ok: boolean, detail: string): void;
  /** The check has nothing to look at in this run; `why` is a sentence. */
  doesNotApply(id: string, why: string): void;
  /** Answers the lab's question in one line. */
  answer(text: string): void;
  /** A figure of the lab's results. Null, or a number that is none: it could not be measured. */
  figure(name: string, value: number | null, spread?: { min?: number; max?: number; n?: number }): void;
  /** A row of a table, its cells by column. */
  row(table: string, cells: Readonly<Record<string, Cell>>): void;
  /** A point of a curve. */
  point(
    curve: string,
    point: { x: number; y: number | null; series?: string; min?: number; max?: number },
  ): void;
  /** What the run showed about a prediction that no figure decides. */
  outcome(prediction: string, value: Guess): void;
  /** Figures of a transport for the result. */
  transport(transport: Transport, result: TransportResult): void;
}
