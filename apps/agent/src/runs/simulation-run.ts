import { formatBytes, formatNumber, plural } from '@verbslab/labs';
import {
  AppError,
  errorInfo,
  isEmpty,
  isFinal,
  MOST_SCENARIO_TEXT,
  noResults,
  SIMULATOR,
  takeResult,
  type EmittedEvent,
  type ErrorInfo,
  type Note,
  type RunRecord,
  type RunState,
  type SimulatedPart,
  type Simulation,
  type SimulationResult,
} from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { RunStore } from '../store/store.js';
import type { RunStream } from '../store/stream.js';
import type { ActiveRun, CounterReading } from './active-run.js';
import { Recording } from './recording.js';

/** Time until the run of a cancelled simulation ends without it, ms. */
const CANCEL_MS = 8_000;

export interface SimulationRunOptions {
  record: RunRecord;
  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  clock: bigint;
  scenario: Simulation['scenario'];
  /** Bytes of the text of the scenario. */
  scenarioBytes: number;
  store: RunStore;
  captureFile: string;
  logger: Logger;
  runLimit?: number;
  /** Asks the client to end the simulation. */
  onStop(runId: string): void;
  onChange(run: SimulationRun): void;
}

/** A simulation under `verbslab sim`, which feeds it: the run only records what it receives. */
export class SimulationRun implements ActiveRun {
  readonly finished: Promise<void>;
  readonly endpointCount = 0;
  /** A person started it, and it runs whatever the agent does: labs need not wait for it. */
  readonly idle = true;
  readonly #options: SimulationRunOptions;
  readonly #recording: Recording;
  readonly #results = noResults();
  readonly #notes: Note[] = [];
  #part: SimulatedPart = { fabric: null, series: null, mechanisms: [], slowdown: null, result: null };
  #cancelled = false;
  #failure: ErrorInfo | null = null;
  #timer: NodeJS.Timeout | undefined;
  #finish!: () => void;

  constructor(options: SimulationRunOptions) {
    this.#options = options;
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.#recording = new Recording({
      ...options,
      interfaces: [],
      onChange: () => options.onChange(this),
      // The simulator is not ours to end: only its record ends.
      onFailure: (error) => (this.#failure ??= error.info),
    });
  }

  get id(): string {
    return this.#options.record.id;
  }

  get record(): RunRecord {
    return this.#recording.record;
  }

  get stream(): RunStream {
    return this.#recording.stream;
  }

  /** Begins the run. Its first event keeps the scenario, whatever becomes of the simulation. */
  begin(): void {
    this.#recording.created();
    this.#recording.move('preparing');
    this.#recording.move('running');
    const { scenario, scenarioBytes } = this.#options;
    if (scenario === null)
      this.#emit({
        kind: 'note',
        text: `The scenario has ${formatBytes(scenarioBytes)}, and a run keeps at most ${formatBytes(MOST_SCENARIO_TEXT)}: this run is without it.`,
      });
    this.#tell({ running: true });
  }

  /** Takes what was simulated so far. */
  soFar(part: SimulatedPart): void {
    this.#part = part;
    this.#tell({ running: true });
  }

  progress(progress: NonNullable<RunRecord['progress']>): void {
    this.#recording.progress(progress);
  }

  /** The simulation has ended, with an error if it was cancelled or failed. */
  end(part: SimulatedPart, error: ErrorInfo | null): void {
    if (isFinal(this.#recording.state)) return;
    this.#part = part;
    const cancelled = error?.code === 'CANCELLED' || (this.#cancelled && part.result === null);
    if (cancelled) this.#close('cancelled', errorInfo('CANCELLED'));
    else if (error ?? this.#failure) this.#close('failed', error ?? this.#failure);
    else {
      this.#recording.move('draining');
      this.#close('done', null);
    }
  }

  /** The client has gone. */
  lost(): void {
    this.#close('interrupted', errorInfo('SIMULATION_LOST'));
  }

  stop(as: 'cancelled' | 'interrupted'): void {
    if (as === 'interrupted') this.#close('interrupted', errorInfo('INTERRUPTED'));
    else if (!this.#cancelled && !isFinal(this.#recording.state)) {
      this.#cancelled = true;
      this.#options.onStop(this.id);
      this.#timer = setTimeout(() => this.#close('cancelled', errorInfo('CANCELLED')), CANCEL_MS);
    }
  }

  readCounters(): Promise<CounterReading[]> {
    return Promise.resolve([]);
  }

  setFaults(): Promise<string[]> {
    return Promise.reject(
      new AppError('NO_FAULTS', { why: 'it is simulated, and its scenario has its losses' }),
    );
  }

  #tell({ running }: Pick<Simulation, 'running'>): void {
    const { scenario } = this.#options;
    const event = { title: '', scenario, ...this.#part, ...(running ? { running } : {}) };
    // What it has in the end is kept however much was reported before.
    if (running) this.#recording.take({ kind: 'simulation', ...event });
    else this.#recording.emit({ kind: 'simulation', ...event });
  }

  #emit(event: EmittedEvent): void {
    takeResult(this.#results, event);
    if (event.kind === 'note') this.#notes.push({ text: event.text });
    this.#recording.emit(event);
  }

  #figures(result: SimulationResult): void {
    const values: [string, number | undefined][] = [
      ['goodput', result.goodput_gbps],
      ['flow-p50', result.flow_time_us?.p50],
      ['flow-p99', result.flow_time_us?.p99],
      ['fairness', result.fairness],
      ['queue', result.queue_max_bytes],
      ['retransmitted', result.retransmitted],
      ['dropped', Object.values(result.drops).reduce((sum, one) => sum + one, 0)],
      ['pauses', result.pauses],
      ['virtual-time', result.us],
    ];
    for (const [name, value] of values) if (value !== undefined) this.#emit({ kind: 'figure', name, value });
    for (const { name, fired, says } of this.#part.mechanisms)
      this.#emit({ kind: 'row', table: 'mechanisms', cells: { mechanism: name, fired, says } });
  }

  #close(state: RunState, error: ErrorInfo | null): void {
    if (isFinal(this.#recording.state)) return;
    clearTimeout(this.#timer);
    const { record } = this.#options;
    const { result } = this.#part;
    this.#tell({});
    if (result) this.#figures(result);
    this.#recording.finish(state, error, () => ({
      lab: record.lab,
      state,
      provider: 'simulated',
      device: SIMULATOR,
      parameters: record.parameters,
      transports: {},
      checks: [],
      ...(isEmpty(this.#results) ? {} : { results: structuredClone(this.#results) }),
      ...(result ? { answer: answerOf(result) } : {}),
      ...(this.#notes.length > 0 ? { notes: [...this.#notes] } : {}),
      captureFile: null,
      ...(error ? { error } : {}),
    }));
    this.#finish();
  }
}

/** What the simulation came to, in a line. */
function answerOf({
  goodput_gbps,
  us,
  flows_finished,
  flows_failed,
  flows_unfinished,
}: SimulationResult): string {
  const others = [
    ...(flows_failed > 0 ? [`${plural(flows_failed, 'flow')} failed`] : []),
    ...(flows_unfinished > 0 ? [`${plural(flows_unfinished, 'flow')} did not finish`] : []),
  ];
  const flows = [`${plural(flows_finished, 'flow')} finished`, ...others].join(', ');
  return `${formatNumber(goodput_gbps)} Gb/s of payload were acknowledged in ${formatNumber(us)} µs of virtual time; ${flows}.`;
}
