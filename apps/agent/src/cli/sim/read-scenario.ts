/** The scenario that `verbslab sim` is asked for: by its name, from a file, or of an earlier run. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  AppError,
  MOST_SCENARIO_TEXT,
  takeSimulation,
  type RunEventOf,
  type Scenario,
} from '@verbslab/protocol';
import { formatBytes, plural } from '@verbslab/labs';
import { findRun } from '../../client/find-run.js';
import { refused } from '../../simulator/simulator.js';
import { connected } from '../connected.js';
import { StreamReader } from '../stream-reader.js';
import { SCENARIOS } from './scenarios.js';

export interface GivenScenario {
  scenario: Scenario;
  /** True if its name says all of it. */
  named: boolean;
  /** Its name, or where it comes from. */
  of: string;
}

function readFile(given: string): Scenario {
  let text: string;
  try {
    text = readFileSync(given === '-' ? 0 : given, 'utf8');
  } catch (error) {
    throw refused(`${given} cannot be read: ${(error as Error).message}`);
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Scenario;
  } catch (error) {
    throw refused(`${given} is no JSON: ${(error as Error).message}`);
  }
  throw refused(`${given} holds no JSON object`);
}

/** The named scenario, or the one in a file. Throws AppError UNKNOWN_SCENARIO, SCENARIO_REFUSED. */
export function scenarioOf(given: string): GivenScenario {
  const named = SCENARIOS.find(({ name }) => name === given);
  if (named) return { scenario: { name: given, ...structuredClone(named.scenario) }, named: true, of: given };
  if (!/[./]/.test(given) && given !== '-')
    throw new AppError('UNKNOWN_SCENARIO', {
      scenario: given,
      known: SCENARIOS.map(({ name }) => name).join(', '),
    });
  return { scenario: readFile(given), named: false, of: given === '-' ? 'stdin' : basename(given) };
}

/**
 * The scenario that a run has kept; of a lab with several simulations, as `RUN:2`. Throws AppError NO_SCENARIO,
 * UNKNOWN_RUN.
 */
export async function scenarioOfRun(given: string): Promise<GivenScenario> {
  const [, name = given, which] = /^(.*):(\d{1,6})$/.exec(given) ?? [];
  const found: RunEventOf<'simulation'>[] = [];
  const reader = new StreamReader();
  const { number } = await connected(async (client) => {
    const run = await findRun(client, name);
    const event = (one: { kind: string }): void => {
      if (one.kind === 'simulation') takeSimulation(found, one as RunEventOf<'simulation'>);
    };
    await reader.read(client, run.id, { event }, false);
    return run;
  }, reader.events);
  const none = (detail: string, hint: string): AppError =>
    new AppError('NO_SCENARIO', { number, detail, hint });
  if (found.length === 0)
    throw none('nothing was simulated in it', 'Choose a run of `verbslab sim`, or of a simulated lab.');
  if (found.length > 1 && which === undefined)
    throw none(
      `it has ${plural(found.length, 'simulation')}`,
      `Say which one, as --from ${number}:${found.length}. The page of the run lists them.`,
    );
  const chosen = found[which === undefined ? 0 : Number(which) - 1];
  if (!chosen)
    throw none(
      `it has no simulation ${which}`,
      `Choose one of 1 to ${found.length}, in the order of its page.`,
    );
  if (!chosen.scenario)
    throw none(
      `it was longer than the ${formatBytes(MOST_SCENARIO_TEXT)} that a run keeps`,
      'Run the file that it came from.',
    );
  return { scenario: chosen.scenario, named: false, of: `run ${number}` };
}
