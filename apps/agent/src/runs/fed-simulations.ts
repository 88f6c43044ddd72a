import {
  AppError,
  SIMULATION_LAB,
  SIMULATOR,
  type AgentMessage,
  type ClientMessageOf,
  type RunRecord,
} from '@verbslab/protocol';
import { answers, perClient, type Subsystem } from '../base/subsystem.js';
import { capturePath } from '../store/capture-files.js';
import type { RunManager } from './manager.js';
import type { ManagerOptions } from './manager-options.js';
import { beginOf } from './new-program.js';
import { SimulationRun } from './simulation-run.js';

/** Simulations in progress at the same time. */
const MAX_SIMULATIONS = 64;

/** Simulations that clients run and report on. */
export function fedSimulations(manager: RunManager): Subsystem {
  const of = perClient(
    (client) => new FedSimulations((message) => client.send(message)),
    (fed) => fed.lost(),
  );
  return {
    messages: answers({
      'simulation.start': (message, client) => ({ run: of(client).start(manager, message) }),
      'simulation.progress': ({ runId, soFar, fraction, text, secondsLeft }, client) => {
        const run = of(client).get(runId);
        run.progress({ fraction, text, secondsLeft });
        if (soFar) run.soFar(soFar);
      },
      'simulation.end': ({ runId, simulation, error }, client) => {
        const run = of(client).get(runId);
        run.end(simulation, error);
        return { run: run.record };
      },
    }),
  };
}

/** Simulations that one client runs, by the id of their run. */
class FedSimulations {
  readonly #send: (message: AgentMessage) => void;
  readonly #runs = new Map<string, SimulationRun>();

  constructor(send: (message: AgentMessage) => void) {
    this.#send = send;
  }

  /** Throws AppError LIMIT. */
  start(manager: RunManager, message: ClientMessageOf<'simulation.start'>): RunRecord {
    const going = manager.active.filter(({ lab }) => lab === SIMULATION_LAB).length;
    if (going >= MAX_SIMULATIONS)
      throw new AppError('LIMIT', {
        what: 'Too many simulations',
        value: going + 1,
        limit: MAX_SIMULATIONS,
      });
    const run = manager.fed((options, onChange) =>
      newSimulation(options, message, {
        onStop: (runId) => this.#send({ type: 'simulation.stop', runId }),
        onChange,
      }),
    );
    run.begin();
    this.#runs.set(run.id, run);
    return run.record;
  }

  /** Returns the run that the client feeds. Throws NOT_FED. */
  get(runId: string): SimulationRun {
    const run = this.#runs.get(runId);
    if (!run) throw new AppError('NOT_FED', { run: runId });
    return run;
  }

  /** The client has gone. */
  lost(): void {
    for (const run of this.#runs.values()) run.lost();
    this.#runs.clear();
  }
}

/** Makes the run of a simulation that began at `clock`, with its record in the history. */
function newSimulation(
  { store, home, logger, runLimit }: ManagerOptions,
  { name, parameters, clock, scenario, scenarioBytes }: ClientMessageOf<'simulation.start'>,
  events: { onStop: (runId: string) => void; onChange: (run: SimulationRun) => void },
): SimulationRun {
  const { begin, ...at } = beginOf(BigInt(clock));
  const record = store.create({
    lab: SIMULATION_LAB,
    title: `Simulation: ${name}`,
    mode: 'all',
    device: SIMULATOR,
    parameters,
    ...at,
  });
  return new SimulationRun({
    ...{ record, clock: begin, scenario, scenarioBytes, store, logger },
    captureFile: capturePath(home, record.id),
    ...(runLimit === undefined ? {} : { runLimit }),
    ...events,
  });
}
