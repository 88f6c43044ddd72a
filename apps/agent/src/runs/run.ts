import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import {
  AppError,
  FEW_CPUS,
  endpointNames,
  errorInfo,
  isFinal,
  toErrorInfo,
  type EmittedEvent,
  type EndpointName,
  type ErrorInfo,
  type Faults,
  type LabContext,
  type RunRecord,
  type RunResult,
  type RunState,
} from '@verbslab/protocol';
import { CallLog, resultWriter } from '@verbslab/labs';
import { processEnd } from '../base/process-end.js';
import { driftText } from './drift-text.js';
import { EventBudget } from './event-budget.js';
import { frameRefusal } from './frame-refusal.js';
import type { ActiveRun, CounterReading } from './active-run.js';
import { readCounters } from './read-counters.js';
import { Outcome } from './outcome.js';
import { Recording } from './recording.js';
import type { RunOptions } from './run-options.js';
import { openedEvent, type Place } from './place.js';
import { FaultSchedule } from '../faults/fault-schedule.js';
import { injectFaults } from './inject.js';
import type { EndpointExit, HostedEndpoint, SpawnOptions } from '../endpoint/hosted-endpoint.js';
import { SoFar } from './so-far.js';
import { Simulations } from '../simulator/simulation.js';
import { StepGate } from './step-gate.js';
import { StreamReader } from '../store/stream-reader.js';
import type { RunStream } from '../store/stream.js';

/** Time for endpoints to end in order, ms: after the procedure, and after a cancellation. */
const CLOSE_GRACE_MS = 3_000;
const CANCEL_GRACE_MS = 80;

/** Name of a run for people. */
export const runName = ({ number, title }: RunRecord): string => `Run ${number} (“${title}”)`;

/**
 * A run in progress: moves through the states, owns the endpoints, and provides the context of the lab’s procedure.
 * `execute` always ends in a final state with no endpoint left and everything written.
 */
export class Run implements ActiveRun {
  readonly #recording: Recording;
  readonly #options: RunOptions;
  readonly #clock = process.hrtime.bigint();
  /** Aborts the procedure. */
  readonly #abort = new AbortController();
  /** Ends endpoint processes that are still starting. */
  readonly #kill = new AbortController();
  readonly #gate: StepGate;
  readonly #endpoints = new Map<string, HostedEndpoint>();
  #opening: Promise<unknown> = Promise.resolve();
  readonly #sources = new Map<number, string>();
  readonly #outcome = new Outcome();
  readonly #calls = new CallLog();
  readonly #faults = new FaultSchedule();
  readonly #simulations = new Simulations(this.#abort.signal, (simulation) => {
    this.#recording.take({ kind: 'simulation', ...simulation });
  });
  readonly #names: readonly EndpointName[];
  #closing = false;
  #watched = false;
  #fail!: (error: unknown) => void;
  /** Rejects when something other than the procedure ends the run. */
  readonly #failure: Promise<never>;
  #stopAs: 'cancelled' | 'interrupted' | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#names = endpointNames(options.lab.description.roles, options.record.parameters);
    // Each endpoint listens to these signals, and a lab may have many endpoints.
    setMaxListeners(0, this.#abort.signal, this.#kill.signal);
    this.#gate = new StepGate(options.record.mode === 'all');
    this.#recording = new Recording({
      record: options.record,
      store: options.store,
      captureFile: options.captureFile,
      interfaces: this.#names.map(({ name }) => name),
      logger: options.logger,
      ...(options.runLimit === undefined ? {} : { runLimit: options.runLimit }),
      clock: this.#clock,
      onChange: () => options.onChange(this),
      onFailure: (error) => this.#fail(error),
    });
    this.#failure = new Promise((_, reject) => (this.#fail = reject));
    this.#failure.catch(() => undefined);
  }

  get id(): string {
    return this.#options.record.id;
  }

  get stream(): RunStream {
    return this.#recording.stream;
  }

  get record(): RunRecord {
    return { ...this.#recording.record, waitingFor: this.#gate.waitingFor };
  }

  /** True while the run only waits for the next step. */
  get idle(): boolean {
    return this.#gate.waitingFor !== null;
  }

  get endpointCount(): number {
    return this.#endpoints.size;
  }

  /** Adds a caveat to the run: on few CPUs the page takes part of what is measured. */
  watched(): void {
    const cpus = availableParallelism();
    const { steps, simulated = false } = this.#options.lab.description;
    const measures = steps === undefined && !simulated;
    if (this.#watched || !measures || cpus > FEW_CPUS || isFinal(this.#recording.state)) return;
    this.#watched = true;
    this.#emit({
      kind: 'note',
      caveat: true,
      text:
        `Measured with a page open. The page uses the same ${cpus === 1 ? 'single CPU' : `${cpus} CPUs`}, so it draws less often while a run measures. ` +
        'To measure without a page, close it and use `verbslab run`.',
    });
  }

  readCounters(): Promise<CounterReading[]> {
    return readCounters(this.#endpoints, (endpoint) => this.#place(endpoint));
  }

  step(go: 'next' | 'all'): void {
    this.#gate.go(go === 'all');
  }

  setFaults(only: string | undefined, faults: Faults): Promise<string[]> {
    return injectFaults(this.#endpoints, only, faults);
  }

  /** Ends the run early. `execute` settles soon after. */
  stop(as: 'cancelled' | 'interrupted'): void {
    if (isFinal(this.#recording.state) || this.#stopAs) return;
    this.#stopAs = as;
    this.#fail(new AppError(as === 'cancelled' ? 'CANCELLED' : 'INTERRUPTED'));
    this.#abort.abort();
  }

  /** Executes the run. Never rejects. */
  async execute(): Promise<void> {
    const { logger } = this.#options;
    const { predictions = {} } = this.#options;
    this.#recording.created();
    if (Object.keys(predictions).length > 0) this.#emit({ kind: 'predicted', values: { ...predictions } });
    const { intends = [] } = this.#options.lab.description;
    if (intends.length > 0) this.#emit({ kind: 'intended', refusals: [...intends] });
    let state: RunState = 'done';
    let error: ErrorInfo | null = null;
    try {
      this.#recording.move('preparing');
      await Promise.race([this.#openEndpoints(), this.#failure]);
      this.#recording.move('running');
      await Promise.race([this.#planFaults(), this.#failure]);
      const procedure = this.#options.lab.run(this.#context() as LabContext<never>);
      procedure.catch(() => undefined);
      await Promise.race([procedure, this.#failure]);
      if (this.#recording.state === 'running') this.#recording.move('draining');
      await Promise.race([this.#noteDrift(), this.#failure]);
      await this.#closeEndpoints(CLOSE_GRACE_MS);
    } catch (thrown) {
      this.#gate.close();
      state = this.#stopAs ?? 'failed';
      error = this.#stopAs
        ? errorInfo(state === 'cancelled' ? 'CANCELLED' : 'INTERRUPTED')
        : toErrorInfo(thrown);
      // Expected failures are shown to the user; an internal error needs its stack in the log.
      if (state === 'failed' && error.code === 'INTERNAL')
        logger.error({ run: this.id, err: thrown }, 'run failed');
      else if (state === 'failed')
        logger.info({ run: this.id, code: error.code, why: error.message }, 'run failed');
      await this.#closeEndpoints(this.#stopAs ? CANCEL_GRACE_MS : CLOSE_GRACE_MS);
    }
    this.#recording.finish(state, error, () =>
      this.#outcome.result(this.#options, {
        state,
        error,
        captureFile: this.#recording.captureFile,
        recorded: () => this.#soFar(),
      }),
    );
  }

  #planFaults(): Promise<void> {
    return this.#faults.start(
      this.#options.faults ?? [],
      ({ endpoint, faults }) => this.setFaults(endpoint, faults),
      (error) =>
        this.#emit({ kind: 'note', text: `Planned faults were not injected. ${toErrorInfo(error).message}` }),
    );
  }

  /**
   * Figures of a run that ended early, from its recorded stream. Without a readable stream the run ends without
   * figures.
   */
  #soFar(): RunResult['transports'] {
    const { store, record, logger } = this.#options;
    try {
      return new SoFar(new StreamReader(store, record.number, null, 1)).transports;
    } catch (error) {
      logger.error({ run: this.id, err: error }, 'the figures of a run that ended early cannot be read');
      this.#emit({ kind: 'note', text: `Figures are missing: ${toErrorInfo(error).message}` });
      return {};
    }
  }

  async #openEndpoints(): Promise<void> {
    const opened = this.#names.map(async ({ name }) => {
      const endpoint = await this.#place(name).spawn(this.#spawnOptions(name));
      if (this.#closing) {
        endpoint.kill();
        return;
      }
      this.#endpoints.set(name, endpoint);
      void endpoint.exited.then((exit) => {
        if (!this.#closing && this.#endpoints.has(name)) this.#died(name, exit);
      });
      this.#emit(openedEvent(name, this.#place(name), endpoint), name);
    });
    this.#opening = Promise.allSettled(opened);
    await Promise.all(opened);
  }

  async #noteDrift(): Promise<void> {
    for (const [role, endpoint] of this.#endpoints) {
      const text = await driftText(role, endpoint);
      if (text !== null) this.#emit({ kind: 'note', text });
    }
  }

  #died(endpoint: string, exit: EndpointExit): void {
    this.#fail(
      exit.error
        ? AppError.from(exit.error)
        : new AppError('ENDPOINT_DIED', { endpoint, ...processEnd(exit.code, exit.signal) }),
    );
    this.#abort.abort();
  }

  #place(role: string): Place {
    const place = this.#options.places.get(role);
    if (!place) throw new AppError('INTERNAL', { detail: `the role “${role}” has no place` });
    return place;
  }

  #spawnOptions(name: string): SpawnOptions {
    const budget = new EventBudget();
    return {
      name,
      device: this.#place(name).device.name,
      purpose: runName(this.#options.record),
      clock: this.#clock,
      signal: this.#kill.signal,
      onEvents: (events) => {
        const kept = events.slice(0, budget.left);
        this.#calls.take(name, kept);
        for (const event of kept) budget.spend(this.#recording.take(event, name));
        this.#recording.leaveOut(events.length - kept.length);
      },
      onFrame: (frame) => this.#onFrame(frame, name),
      memory: this.#recording.stream.memory,
      onLog: (text) => this.#recording.take({ kind: 'log', level: 'info', text }, name),
    };
  }

  /** Records a frame. An endpoint may not report figures of another one: the first such frame ends the run. */
  #onFrame(frame: Uint8Array, endpoint: string): void {
    const detail = frameRefusal(frame, endpoint, this.#sources);
    if (detail === null) {
      this.#recording.frame(frame, endpoint);
      return;
    }
    this.#fail(new AppError('ENDPOINT_BROKEN', { endpoint, detail }));
    this.#abort.abort();
  }

  #endpoint(name: string): HostedEndpoint {
    const endpoint = this.#endpoints.get(name);
    if (!endpoint) throw new AppError('INTERNAL', { detail: `the run has no endpoint “${name}”` });
    return endpoint;
  }

  #emit(event: EmittedEvent, endpoint?: string): void {
    this.#outcome.take(event);
    this.#recording.emit(event, endpoint);
  }

  /** Kills an endpoint. The run drops it first, so that its end does not end the run. */
  async #killEndpoint(name: string): Promise<void> {
    const endpoint = this.#endpoint(name);
    this.#endpoints.delete(name);
    endpoint.kill();
    await endpoint.exited;
    this.#emit({ kind: 'note', text: `The run killed the process of the ${name} (SIGKILL).` });
  }

  async #closeEndpoints(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#faults.stop();
    await Promise.all([
      this.#simulations.settled(),
      ...[...this.#endpoints.values()].map((endpoint) => endpoint.close(graceMs)),
    ]);
    this.#kill.abort();
    await this.#opening;
    this.#endpoints.clear();
  }

  #context(): LabContext<unknown> {
    const steps = this.#options.lab.description.steps ?? [];
    return {
      params: this.#options.params,
      mode: this.#options.record.mode,
      signal: this.#abort.signal,
      endpoint: (name) => this.#endpoint(name),
      endpoints: (role) =>
        this.#names.filter((one) => one.role === role).map(({ name }) => this.#endpoint(name)),
      ...resultWriter(this.#options.lab.description, (event) => this.#emit(event)),
      calls: this.#calls.calls,
      kill: (name) => this.#killEndpoint(name),
      simulate: (scenario, options) => this.#simulations.run(scenario, options),
      now: () => this.#recording.now(),
      emit: (event) => this.#emit(event),
      source: (role, info) => {
        const source = this.#sources.size + 1;
        this.#sources.set(source, role);
        this.#emit({ kind: 'source', source, ...info }, role);
        return source;
      },
      step: async (id, body) => {
        const index = steps.findIndex((step) => step.id === id);
        if (index < 0) throw new AppError('INTERNAL', { detail: `the lab has no step “${id}”` });
        await Promise.race([this.#gate.pass(id, () => this.#recording.touch()), this.#failure]);
        this.#emit({ kind: 'step', phase: 'begin', id, index });
        let ok = false;
        try {
          const result = await body();
          ok = true;
          return result;
        } finally {
          this.#emit({ kind: 'step', phase: 'end', id, index, ok });
        }
      },
      draining: () => {
        if (this.#recording.state === 'running') this.#recording.move('draining');
      },
      progress: (fraction, text, secondsLeft) => {
        this.#recording.progress({
          fraction: Math.min(1, Math.max(0, fraction)),
          text,
          secondsLeft: secondsLeft ?? null,
        });
      },
      note: (text) => this.#emit({ kind: 'note', text }),
      check: (id, ok, detail) => this.#emit({ kind: 'check', id, ok, detail }),
      doesNotApply: (id, why) => this.#emit({ kind: 'check', id, ok: true, applies: false, detail: why }),
      answer: (text) => {
        this.#outcome.answer = text;
      },
      transport: (transport, result) => {
        this.#outcome.transports[transport] = result;
      },
    };
  }
}
