import type { Scenario } from '@verbslab/protocol';
import type { GivenScenario } from './read-scenario.js';
import type { MemberValue } from './scenarios.js';

/** Most members of a scenario that a list of runs shows as parameters. */
const MOST = 60;
const MOST_CHARS = 200;

/** Members of a scenario that are no objects, by path. */
function* members(value: unknown, path: string): Generator<[string, MemberValue]> {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* members(inner, path === '' ? name : `${path}.${name}`);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    yield [path, value];
}

const short = (value: MemberValue): MemberValue =>
  typeof value === 'string' ? value.slice(0, MOST_CHARS) : value;

/**
 * Parameters of the run of a scenario: its name with what was changed of it, or, where there is no name that says all,
 * where it comes from and its first members.
 */
export function parametersOf(
  { scenario, named, of }: GivenScenario,
  changes: ReadonlyMap<string, MemberValue>,
): Record<string, MemberValue> {
  const all = [...(named ? changes : members(scenario, ''))]
    .filter(([path]) => path !== 'seed' && path !== 'name' && path.length <= MOST_CHARS)
    .slice(0, MOST)
    .map(([path, value]) => [path, short(value)] as const);
  return {
    ...(named ? { scenario: of } : { file: of.slice(0, MOST_CHARS) }),
    seed: seedOf(scenario),
    ...Object.fromEntries(all),
  };
}

/** A scenario without a seed has the seed 1. */
const seedOf = ({ seed }: Scenario): number => (typeof seed === 'number' ? seed : 1);

/** The name of the run of a scenario. */
export const nameOf = ({ scenario: { name }, of }: GivenScenario): string =>
  (typeof name === 'string' && name.trim() !== '' ? name : of).slice(0, 100);
