/** Messages for `verbslab sim` and its runs: simulations that clients run. */
import { z } from 'zod';
import { zErrorInfo } from './error-schema.js';
import { notice, push, request } from './message.js';
import { RUN, zRunId } from './runs.js';
import { zSimulation } from './simulation.js';
import { zCount } from './verbs.js';

/** Most parameters of a run of a simulation. */
export const MOST_SIMULATION_PARAMETERS = 100;

/** What the simulator has said so far, or in all: an event of the run without what the agent knows from the start. */
export const zSimulatedPart = zSimulation.omit({ title: true, scenario: true, running: true });
export type SimulatedPart = z.infer<typeof zSimulatedPart>;

export const SIMULATION_MESSAGES = [
  /**
   * Starts the run of a simulation under `verbslab sim`. The connection feeds the run, which ends with `simulation.end`,
   * or as interrupted when the connection closes.
   */
  request(
    'simulation.start',
    {
      /** Name of the scenario. */
      name: z.string().min(1).max(100),
      /** Null if its text is longer than a run keeps. */
      scenario: zSimulation.shape.scenario,
      /** Bytes of its text. */
      scenarioBytes: zCount,
      /** Parameters of the run, for lists and comparisons. */
      parameters: z
        .record(z.string().max(200), z.union([z.string().max(200), z.number(), z.boolean()]))
        .refine((all) => Object.keys(all).length <= MOST_SIMULATION_PARAMETERS, 'too many parameters'),
      /** CLOCK_MONOTONIC of the sender, ns, at which the run's clock reads 0 if the sender is on this machine. */
      clock: z.string().regex(/^\d{1,20}$/),
    },
    RUN,
    {
      what: 'creates a run for a simulation that the client runs: `name`, `scenario`, `scenarioBytes`, `parameters`, `clock`; see below',
    },
  ),
  /** Says how far the simulation is, without a reply. */
  notice(
    'simulation.progress',
    {
      runId: zRunId,
      fraction: z.number().min(0).max(1),
      text: z.string().max(200),
      secondsLeft: z.number().min(0).nullable(),
      /** What was simulated so far. Absent: as reported before. */
      soFar: zSimulatedPart.optional(),
    },
    {
      what: 'how far such a simulation is (`fraction`, `text`, `secondsLeft`), and what it has so far (`soFar`)',
    },
  ),
  /** Ends the run. With the error CANCELLED it was cancelled, with another one it failed. */
  request(
    'simulation.end',
    { runId: zRunId, simulation: zSimulatedPart, error: zErrorInfo.nullable() },
    RUN,
    { what: 'such a simulation has ended: the `simulation`, and the `error` if it was cancelled or failed' },
  ),
  /** To the connection that feeds the run: end the simulation, because the run was cancelled. */
  push('simulation.stop', { runId: zRunId }),
];
