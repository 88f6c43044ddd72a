import {
  toErrorInfo,
  type ClientMessageOf,
  type ErrorInfo,
  type RunRecord,
  type Scenario,
  type Simulated,
  type SimulatedFabric,
  type SimulatedSample,
} from '@verbslab/protocol';
import { AgentClient } from '../client/client.js';
import { addressOf } from '../client/find.js';
import { homeAt, homePath } from '../config/home.js';
import { findRunning } from '../config/instance.js';
import { SeriesCollector } from './series.js';
import { keptScenario, simulatedPart } from './simulation.js';

/** Longest search for an agent, ms: a running one answers at once. */
const FIND_MS = 1_000;
const END_MS = 3_000;
/** Least time between two reports, ms. */
const TELL_MS = 500;
/**
 * Growth of the time between two reports of all that was simulated so far. The run keeps each, so a long simulation
 * must not have many.
 */
const GROWTH = 1.1;

export interface RegistrationEvents {
  /** Called when the simulation has become a run. */
  onRun(number: number, page: string): void;
  /** Called when the run was cancelled. */
  onStop(): void;
  /** Called when the agent is gone or takes no more. Called once, not after `end`. */
  onLost(reason: string): void;
}

export type NewSimulation = Pick<ClientMessageOf<'simulation.start'>, 'name' | 'parameters'> & {
  scenario: Scenario;
};

export type Progress = Pick<ClientMessageOf<'simulation.progress'>, 'fraction' | 'text' | 'secondsLeft'>;

/** A simulation of this process as a run of the agent’s: makes the run, and reports what the simulator says. */
export class SimulationRegistration {
  readonly #client: AgentClient;
  readonly #page: string;
  readonly #events: RegistrationEvents;
  readonly #clock = process.hrtime.bigint();
  readonly #series = new SeriesCollector();
  #fabric: SimulatedFabric | null = null;
  #started: Promise<void> | null = null;
  /** Null until the agent has made the run. */
  #runId: string | null = null;
  #open = true;
  #told = 0;
  #toldAll = 0;
  #interval = TELL_MS;

  private constructor(client: AgentClient, page: string, events: RegistrationEvents) {
    this.#client = client;
    this.#page = page;
    this.#events = events;
  }

  /** Connects to the running agent. Null if there is none. Throws AppError if it cannot be reached. */
  static async connect(events: RegistrationEvents): Promise<SimulationRegistration | null> {
    const home = homeAt(homePath());
    const state = await findRunning(home, FIND_MS);
    if (!state) return null;
    let registration: SimulationRegistration | null = null;
    const { client } = await AgentClient.connect(addressOf(state, home), {
      onMessage: (message) => {
        if (message.type === 'simulation.stop') registration?.stopped(message.runId);
        if (message.type === 'error') registration?.lost(message.message);
      },
      onClose: () => registration?.lost('the connection closed'),
    });
    registration = new SimulationRegistration(client, state.page, events);
    return registration;
  }

  /** The simulator has taken the scenario, so there is something to keep. */
  begin(simulation: NewSimulation, fabric: SimulatedFabric): void {
    this.#fabric = fabric;
    this.#started = this.#start(simulation);
  }

  async #start({ name, parameters, scenario: given }: NewSimulation): Promise<void> {
    const { scenario, bytes: scenarioBytes } = keptScenario(given);
    const clock = this.#clock.toString();
    try {
      const asked = { name, parameters, scenario, scenarioBytes, clock };
      const { run } = await this.#client.request('simulation.start', asked);
      this.#runId = run.id;
      this.#events.onRun(run.number, `${this.#page}/runs/view?id=${run.id}`);
    } catch (error) {
      const { message, cure } = toErrorInfo(error);
      this.lost(`${message} ${cure}`.trim());
    }
  }

  sample(sample: SimulatedSample): void {
    this.#series.take(sample);
  }

  /** Reports how far the simulation is, unless it has just done so. */
  progress(progress: Progress): void {
    const now = performance.now();
    if (!this.#open || this.#runId === null || now - this.#told < TELL_MS) return;
    this.#told = now;
    const all = now - this.#toldAll >= this.#interval;
    if (all) {
      this.#toldAll = now;
      this.#interval *= GROWTH;
    }
    this.#client.send({
      type: 'simulation.progress',
      runId: this.#runId,
      ...progress,
      ...(all ? { soFar: simulatedPart(this.#fabric, this.#series, null) } : {}),
    });
  }

  /** Ends the run, if there is one. Returns it; null if it is not kept. Never rejects, takes bounded time. */
  async end(done: Omit<Simulated, 'samples'> | null, error: ErrorInfo | null): Promise<RunRecord | null> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), END_MS)));
    const record = await Promise.race([this.#end(done, error), patience]);
    clearTimeout(timer);
    this.#open = false;
    await this.#client.close();
    return record;
  }

  async #end(done: Omit<Simulated, 'samples'> | null, error: ErrorInfo | null): Promise<RunRecord | null> {
    await this.#started;
    const runId = this.#runId;
    if (!this.#open || runId === null) return null;
    const simulation = simulatedPart(this.#fabric, this.#series, done);
    try {
      return (await this.#client.request('simulation.end', { runId, simulation, error })).run;
    } catch (thrown) {
      this.lost(toErrorInfo(thrown).message);
      return null;
    }
  }

  private stopped(runId: string): void {
    if (runId === this.#runId) this.#events.onStop();
  }

  private lost(reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#events.onLost(reason);
  }
}
