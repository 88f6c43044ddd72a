// No schemas here: pages make rows from the records that they receive.
import type { RowResult, RunRow } from './run-row-schema.js';
import type { LabResults } from './lab-results.js';
import type { ProgramResult, RunRecord, RunResult, TransportResult } from './runs.js';
import { TRANSPORTS } from './transports.js';

/**
 * Most figures, and most names of tables and curves, of a row. Labs have fewer; records of others may have any number.
 */
export const MAX_ROW_NAMES = 64;
/** Most characters of a name in a row, and of the answer. */
const MAX_NAME = 64;
const MAX_ANSWER = 500;

const named = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(values).filter(([name]) => name.length <= MAX_NAME);

/** Made without assignment: a name in others' records may be `__proto__`. */
const firstOf = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(named(values).slice(0, MAX_ROW_NAMES));

function transport({ rounds, ...figures }: TransportResult) {
  return { ...figures, ...(rounds ? { roundCount: rounds.length } : {}) };
}

const programRow = ({ exitCode, signal, commands, work }: ProgramResult) => ({
  ...{ exitCode, signal },
  ...(commands ? { commands } : {}),
  ...(work ? { work } : {}),
});

/** Names of tables and curves that are not empty. */
const filledOf = ({ tables, curves }: LabResults): string[] =>
  [...named<unknown[]>(tables), ...named<unknown[]>(curves)]
    .flatMap(([name, all]) => (all.length > 0 ? [name] : []))
    .slice(0, MAX_ROW_NAMES);

function rowResult(result: RunResult): RowResult {
  const { lab, state, provider, device, links, endpoints, transports, results, problems, program } = result;
  const answer = result.answer?.slice(0, MAX_ANSWER);
  const filled = results ? filledOf(results) : [];
  return {
    ...{ lab, state, provider, device },
    ...(links ? { links } : {}),
    ...(endpoints
      ? { endpoints: endpoints.map(({ role, host, device: name }) => ({ role, host, device: name })) }
      : {}),
    transports: Object.fromEntries(
      TRANSPORTS.flatMap((name) => (transports[name] ? [[name, transport(transports[name])]] : [])),
    ),
    ...(results ? { results: { figures: firstOf(results.figures) } } : {}),
    ...(filled.length > 0 ? { filled } : {}),
    ...(answer === undefined ? {} : { answer }),
    ...(problems === undefined ? {} : { problems }),
    ...(program ? { program: programRow(program) } : {}),
  };
}

/** Row of a run in a list. Tables, curves, rounds, checks and notes are only on its own page. */
export const rowOf = ({ result, ...run }: RunRecord): RunRow => ({
  ...run,
  result: result && rowResult(result),
});

/** True if the lab of a run filled all of these tables and curves. */
export function hasFilled({ result }: Pick<RunRow, 'result'>, names: readonly string[]): boolean {
  return names.every((name) => result?.filled?.includes(name));
}
