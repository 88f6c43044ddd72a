/** The output of `verbslab labs --coverage`: the topics of the catalog, and where each is found. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { noun, plural, type Lab } from '@verbslab/labs';
import { AppError } from '@verbslab/protocol';
import { z } from 'zod';
import { agentFolder } from '../config/agent-folder.js';
import { bold, muted, table } from './terminal.js';

const zNames = z.array(z.string()).optional();

/** Results, checks and questions of a lab that show something. */
const zShown = z.strictObject({
  lab: z.string(),
  checks: zNames,
  figures: zNames,
  tables: zNames,
  curves: zNames,
  selfChecks: zNames,
  variations: zNames,
});

/**
 * An item that a topic expects: shown by labs, asked by exercises, asserted by lines of tests, or open with a reason.
 */
const zExpected = z.strictObject({
  what: z.string(),
  labs: z.array(zShown).default([]),
  exercises: z.array(z.string()).default([]),
  tests: z.array(z.strictObject({ test: z.string(), says: z.string() })).default([]),
  open: z.string().nullable().default(null),
});

const zTopics = z.array(z.strictObject({ id: z.string(), title: z.string(), expected: z.array(zExpected) }));

type Expected = z.output<typeof zExpected>;
type Topic = z.output<typeof zTopics>[number];
type TopicState = 'covered' | 'partly' | 'open';

/** The topics are test data of the labs, which only the sources have. */
const FOLDER = join(dirname(dirname(agentFolder)), 'packages/labs/test/topics');

/** Reads the topics in the order of their ids. Throws AppError USAGE if there are none. */
export function readTopics(): Topic[] {
  if (!existsSync(FOLDER))
    throw new AppError('USAGE', {
      detail: 'The list of topics is not part of an installed product',
      hint: 'Run the command from a checkout of the sources, which has it in packages/labs/test/topics.',
    });
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => zTopics.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

function topicState({ expected }: Topic): TopicState {
  const open = expected.filter((one) => one.open !== null).length;
  return open === 0 ? 'covered' : open < expected.length ? 'partly' : 'open';
}

/** The labs that a topic names, each once. */
const labsOf = ({ expected }: Topic): string[] => [
  ...new Set(expected.flatMap(({ labs }) => labs.map(({ lab }) => lab))),
];

const MARK: Readonly<Record<TopicState, string>> = { covered: '✓', partly: '◐', open: '–' };

const KINDS = {
  checks: 'check',
  figures: 'figure',
  tables: 'table',
  curves: 'curve',
  selfChecks: 'self-check',
  variations: 'variation',
} as const;

function places({ labs, exercises, tests }: Expected): string {
  const inLabs = labs.map((shown) => {
    const named = (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) => {
      const list = shown[kind] ?? [];
      return list.length === 0 ? [] : [`${noun(list.length, KINDS[kind])} ${list.join(', ')}`];
    });
    return `${shown.lab} (${named.join('; ')})`;
  });
  const asked =
    exercises.length === 0 ? [] : [`${noun(exercises.length, 'exercise')} ${exercises.join(', ')}`];
  const files = [...new Set(tests.map(({ test }) => test))];
  return [...inLabs, ...asked, ...files].join(' · ');
}

function topicText(topic: Topic): string {
  const rows = topic.expected.map((one) => [
    `    ${one.open === null ? MARK.covered : MARK.open}`,
    one.what,
    muted(one.open ?? places(one)),
  ]);
  return `  ${MARK[topicState(topic)]} ${bold(`${topic.id}  ${topic.title}`)}\n${table(rows)}`;
}

function countText(topics: readonly Topic[]): string {
  const count = (state: TopicState): number => topics.filter((topic) => topicState(topic) === state).length;
  return `${plural(topics.length, 'topic')}: ${count('covered')} covered, ${count('partly')} partly covered, ${count('open')} open.`;
}

export const coverageText = (topics: readonly Topic[]): string =>
  [...topics.map(topicText), countText(topics)].join('\n\n');

/** The topics that a lab is part of. */
export const topicsOf = (topics: readonly Topic[], { description: { id } }: Lab): Topic[] =>
  topics.filter((topic) => labsOf(topic).includes(id));

/** Topics with their states and labs as data. */
export const coverageJson = (topics: readonly Topic[]) => ({
  topics: topics.map((topic) => ({ ...topic, state: topicState(topic), labs: labsOf(topic) })),
});
