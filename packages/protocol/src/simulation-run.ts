// No schemas here: pages use this file.
import type { LabDescription } from './lab.js';
import type { RunRow } from './run-row-schema.js';
import type { Simulation } from './simulation.js';

/** Lab id of runs of `verbslab sim`. No lab may have this id. */
export const SIMULATION_LAB = 'simulation';

/** Longest scenario, as JSON, that a run keeps. */
export const MOST_SCENARIO_TEXT = 64 * 1024;

/** Description of such a run for pages, lists and reports. */
export const SIMULATION_VIEW: LabDescription = {
  id: SIMULATION_LAB,
  title: 'Simulation',
  question: 'What does this fabric do in virtual time?',
  summary:
    'A scenario of `verbslab sim`: its queues, pauses and rates over virtual time, and its mechanisms.',
  params: {
    type: 'object',
    properties: {
      scenario: { type: 'string', title: 'Scenario' },
      file: { type: 'string', title: 'Scenario of' },
      seed: { type: 'integer', title: 'Seed', default: 1 },
    },
  },
  simulated: true,
  roles: [],
  watch: ['fabric'],
  results: {
    figures: [
      { name: 'goodput', label: 'Goodput, all hosts', unit: 'Gb/s' },
      { name: 'flow-p50', label: 'Time of a flow, p50', unit: 'µs' },
      { name: 'flow-p99', label: 'Time of a flow, p99', unit: 'µs' },
      { name: 'fairness', label: 'Fairness', text: 'Jain’s index of the rates of flows.' },
      { name: 'queue', label: 'Deepest queue', unit: 'B' },
      { name: 'retransmitted', label: 'Packets retransmitted' },
      { name: 'dropped', label: 'Packets dropped' },
      { name: 'pauses', label: 'PAUSE frames' },
      { name: 'virtual-time', label: 'Virtual time', unit: 'µs' },
    ],
    tables: [
      {
        name: 'mechanisms',
        label: 'What acted, and what did not',
        columns: [
          { name: 'mechanism', label: 'Mechanism' },
          { name: 'fired', label: 'Fired' },
          { name: 'says', label: 'How near it came' },
        ],
      },
    ],
    headline: { figures: ['goodput'] },
  },
  checks: [],
  needs: [],
  wants: [],
};

export const isSimulation = (run: { lab: string }): boolean => run.lab === SIMULATION_LAB;

/** The description of a run's lab among those of an agent, or that of all runs of `verbslab sim`. */
export const describedBy = (
  labs: readonly LabDescription[],
  { lab }: { lab: string },
): LabDescription | undefined =>
  labs.find(({ id }) => id === lab) ?? (lab === SIMULATION_LAB ? SIMULATION_VIEW : undefined);

/** Arguments of `verbslab sim` that run the simulation again; null for a scenario that has no name and was not kept. */
export function simulationCommand(
  { number, parameters }: Pick<RunRow, 'number' | 'parameters'>,
  kept: boolean,
): string[] | null {
  const { scenario, seed, ...changes } = parameters;
  if (typeof scenario !== 'string') return kept ? ['--from', String(number)] : null;
  return [
    scenario,
    ...Object.entries(changes).flatMap(([name, value]) => [
      '--set',
      `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]),
    ...(typeof seed === 'number' && seed !== 1 ? ['--seed', String(seed)] : []),
  ];
}

/** Simulations of a run, each as it was last reported: a report of one that goes on is replaced by the next one. */
export function takeSimulation<S extends Pick<Simulation, 'running'>>(into: S[], simulation: S): void {
  if (into.at(-1)?.running) into.pop();
  into.push(simulation);
}
