/** Names in the topics that do not exist: labs, results, checks and questions of labs, and exercises. */
import { findExercise } from '../../src/exercises/catalog.js';
import type { Lab } from '../../src/index.js';

/** Results, checks and questions of a lab that show it. */
interface Shown {
  lab: string;
  checks?: readonly string[];
  figures?: readonly string[];
  tables?: readonly string[];
  curves?: readonly string[];
  selfChecks?: readonly string[];
  variations?: readonly string[];
}

/** An expectation of a topic: shown by labs, asked by exercises, asserted by tests, or open with a reason. */
interface Expected {
  what: string;
  labs?: readonly Shown[];
  exercises?: readonly string[];
  /** Lines of test files that assert it. */
  tests?: readonly { test: string; says: string }[];
  open?: string;
}

export interface Topic {
  id: string;
  title: string;
  expected: readonly Expected[];
}

type Kind = keyof Omit<Shown, 'lab'>;

function namesOf({ description, selfChecks }: Lab): Record<Kind, string[]> {
  const { checks, results: { figures = [], tables = [], curves = [] } = {}, variations = [] } = description;
  return {
    checks: checks.map(({ id }) => id),
    figures: figures.map(({ name }) => name),
    tables: tables.map(({ name }) => name),
    curves: curves.map(({ name }) => name),
    selfChecks: selfChecks.map(({ id }) => id),
    variations: variations.map(({ name }) => name),
  };
}

function shownFaults(shown: Shown, labs: readonly Lab[]): string[] {
  const lab = labs.find(({ description }) => description.id === shown.lab);
  if (!lab) return [`there is no lab “${shown.lab}”`];
  const named = Object.entries(shown).filter(([kind]) => kind !== 'lab') as [Kind, readonly string[]][];
  if (named.length === 0) return [`nothing of the lab “${shown.lab}” is named`];
  const names = namesOf(lab);
  return named.flatMap(([kind, list]) =>
    list
      .filter((name) => !names[kind].includes(name))
      .map((name) => `“${shown.lab}” has no “${name}” among its ${kind}`),
  );
}

/** Sentences; empty if everything that is named exists. */
export function topicFaults(topics: readonly Topic[], labs: readonly Lab[]): string[] {
  const ids = topics.map(({ id }) => id);
  return [
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id} is listed twice.`),
    ...topics.flatMap(({ id, expected }) => [
      ...(expected.length === 0 ? [`${id} expects nothing.`] : []),
      ...expected.flatMap(({ what, open, labs: shown = [], exercises = [], tests = [] }) => {
        const somewhere = shown.length > 0 || exercises.length > 0 || tests.length > 0;
        const faults = shown.flatMap((each) => shownFaults(each, labs));
        for (const exercise of exercises)
          if (!findExercise(exercise)) faults.push(`there is no exercise “${exercise}”`);
        if (somewhere === (open !== undefined))
          faults.push(somewhere ? 'it is both shown and open' : 'nothing shows it, and no reason is given');
        return faults.map((fault) => `${id}, ${what}: ${fault}.`);
      }),
    ]),
  ];
}
