import { z } from 'zod';
import { zCapabilities } from './device.js';
import type { EndpointHandle, SourceInfo } from './endpoint.js';
import type { EmittedEvent, EventBody } from './events.js';
import {
  zIntended,
  zLabFabric,
  zLabPicture,
  zPrediction,
  zResultSpecs,
  zRole,
  zVariation,
  type Guess,
} from './lab-form.js';
import type { Cell } from './lab-results.js';
import { DEVICE_LIMITS } from './param-rules.js';
import type { RunMode, TransportResult } from './runs.js';
import type { Scenario, Simulated } from './simulation.js';
import { zStepQuestion } from './step-question.js';
import type { Transport } from './transports.js';

/** Picture of a step: changes in parts of the hosts, and messages on the wire between them. */
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
        /** True if the data does not travel in RDMA packets, but over a socket or by hand. */
        outOfBand: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type StepPicture = z.infer<typeof zStepPicture>;

const zLabStep = z.object({
  id: z.string(),
  title: z.string(),
  /** Title in a row of all steps: at most 12 characters. Absent from older agents, like `question`. */
  short: z.string().optional(),
  text: z.string(),
  /** Asked before the step runs. */
  question: zStepQuestion.optional(),
  picture: zStepPicture.optional(),
  /**
   * C code for the work of a step after its verbs calls, when the step is copied as C. Variables are named by side and
   * kind: `client_buf`, `server_mr`. The code is in a function that returns 0, or 1 after an error.
   */
  c: z.string().optional(),
});

/** Knowledge after the last step, and a suggestion for the next lab. */
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

/** Duration of measurements, by the values of parameters. */
const zLabTiming = z.object({
  /** Names of parameters: seconds that the rounds share, number of rounds, and seconds before each round. */
  measured: z.string(),
  rounds: z.string(),
  warmUp: z.string(),
  /** Number of consecutive runs of everything, by the value of a parameter. */
  turns: z.object({ param: z.string(), of: z.record(z.string(), z.int().min(1)) }),
});
export type LabTiming = z.infer<typeof zLabTiming>;

/** Schema of `ParamRule`. */
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

/** A lab as data for lists, forms and pages. */
export const zLabDescription = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** The question that the lab answers. */
  question: z.string(),
  /** Summary of the lab and its results: a few sentences. */
  summary: z.string(),
  /** Name on the map of labs: at most 16 characters. Absent from older agents, like `why`, `buildsOn` and `picture`. */
  short: z.string().optional(),
  /** Why a reader would care: at most 12 words. */
  why: z.string().optional(),
  /** Labs that explain what this one takes for granted, by id. */
  buildsOn: z.array(z.string()).optional(),
  picture: zLabPicture.optional(),
  /** Track in the catalog: an id of `TRACKS`. Absent from older agents, like all optional members. */
  track: z.string().optional(),
  /** Minutes to read and run the lab. */
  minutes: z.int().min(1).optional(),
  /** JSON Schema (2020-12) of the parameters: an object whose properties have title, description, default. */
  params: z.record(z.string(), z.json()),
  /** Rules between parameters, and limits of the devices. Absent from older agents. */
  rules: z.array(zParamRule).optional(),
  /** Present if parameters decide how long a run takes. */
  timing: zLabTiming.optional(),
  /** Roles, with an endpoint each, or with as many as `count` says. */
  roles: z.array(zRole),
  /** True for a lab without endpoints: it takes no device, and the fabric simulator makes all its figures. */
  simulated: z.literal(true).optional(),
  /** What the page draws in place of `picture`: of a simulated lab, and of one that measures and simulates. */
  fabric: zLabFabric.optional(),
  /** Ids of panels on a run's page; for a lab with steps, parts of that page. */
  watch: z.array(z.string()),
  /** Steps; present if the lab can be run step by step. */
  steps: z.array(zLabStep).optional(),
  ending: zLabEnding.optional(),
  /** Results that a run fills in by name. */
  results: zResultSpecs.optional(),
  predictions: z.array(zPrediction).optional(),
  variations: z.array(zVariation).optional(),
  /** Conditions that must hold at the end. */
  checks: z.array(z.object({ id: z.string(), text: z.string() })),
  /** Refusals and errors that the lab causes on purpose. Absent from older agents. */
  intends: z.array(zIntended).optional(),
  /** Capabilities: without `needs` the lab cannot run; without `wants` it shows less. */
  needs: zCapabilities,
  wants: zCapabilities,
});
export type LabDescription = z.infer<typeof zLabDescription>;

/** Part of AbortSignal that labs need. This package has neither Node's nor the DOM's types. */
export interface CancelSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A verbs call of an endpoint. */
export type VerbCall = Extract<EventBody, { kind: 'verb' }>;
/** Most calls of an endpoint that are kept for `LabContext.calls`. The oldest are dropped first. */
export const CALLS_KEPT = 4096;

export interface SimulateOptions {
  /** What the simulation is for, in a few words. The page lists the simulations of a run by it. */
  title?: string;
  /** Called with the virtual time of samples, in µs, at most ten times per second. */
  onTime?: (us: number) => void;
}

/**
 * Interface of the run manager for a lab's procedure. The procedure cannot distinguish a local endpoint from a remote
 * one.
 */
export interface LabContext<P> {
  readonly params: P;
  readonly mode: RunMode;
  /**
   * Signal that is aborted when the run is cancelled or an endpoint died. Pending endpoint calls reject by themselves.
   */
  readonly signal: CancelSignal;
  /** Returns an endpoint by its name, opened on the chosen device: `server`, or `worker-2` of a role with a count. */
  endpoint(name: string): EndpointHandle;
  /** Returns all endpoints of a role, in order. */
  endpoints(role: string): EndpointHandle[];
  /**
   * Returns the verbs calls of an endpoint since the last request, with the duration of each. A difference of `now`
   * around `call` includes the round trip to the endpoint.
   */
  calls(endpoint: string): VerbCall[];
  /**
   * Kills an endpoint’s process like `kill -9`, and waits until it has ended. The run continues without the endpoint.
   */
  kill(endpoint: string): Promise<void>;
  /** Nanoseconds since the run was created. */
  now(): number;
  emit(event: EmittedEvent): void;
  /** Announces a source of binary frames at an endpoint. Returns its number. */
  source(endpoint: string, info: SourceInfo): number;
  /**
   * Runs a scenario of the fabric simulator to its end, and records it as a `simulation` event. Rejects with AppError
   * SCENARIO_REFUSED, with CANCELLED when the run is cancelled, with SIMULATION_ENDED if a limit ended
   * it, and with SIMULATION_BROKEN if the figures are void.
   */
  simulate(scenario: Scenario, options?: SimulateOptions): Promise<Simulated>;
  /** Runs a step of the description: waits for `run.step` in step mode, and reports begin and end. */
  step<T>(id: string, body: () => Promise<T>): Promise<T>;
  /** Ends the measurements of the run: state `draining`. */
  draining(): void;
  progress(fraction: number, text: string, secondsLeft?: number): void;
  note(text: string): void;
  check(id: string, ok: boolean, detail: string): void;
  /** Marks a check as not applicable in this run; `why` is a sentence. */
  doesNotApply(id: string, why: string): void;
  /** Sets the answer to the lab's question, in one line. A run of the catalog names failed checks behind it. */
  answer(text: string): void;
  /** Sets a figure of the lab's results. Null, NaN or infinite: it could not be measured. */
  figure(name: string, value: number | null, spread?: { min?: number; max?: number; n?: number }): void;
  /** Adds a row to a table; cells by column. */
  row(table: string, cells: Readonly<Record<string, Cell>>): void;
  /** Adds a point to a curve. */
  point(
    curve: string,
    point: { x: number; y: number | null; series?: string; min?: number; max?: number },
  ): void;
  /** Sets the outcome of a prediction that no figure decides. */
  outcome(prediction: string, value: Guess): void;
  /** Sets the figures of a transport in the result. */
  transport(transport: Transport, result: TransportResult): void;
}
