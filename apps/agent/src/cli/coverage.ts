/** What `verbslab labs --coverage` prints: the topics of the catalog, and where each is found. */
import {
  labsOf,
  plural,
  TOPICS,
  topicState,
  type Expected,
  type Lab,
  type Topic,
  type TopicState,
} from '@verbslab/labs';
import { bold, muted, table } from './terminal.js';

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
      return list.length === 0 ? [] : [`${KINDS[kind]}${list.length > 1 ? 's' : ''} ${list.join(', ')}`];
    });
    return `${shown.lab} (${named.join('; ')})`;
  });
  const asked =
    exercises.length === 0 ? [] : [`exercise${exercises.length > 1 ? 's' : ''} ${exercises.join(', ')}`];
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
export const topicsOf = ({ description: { id } }: Lab): Topic[] =>
  TOPICS.filter((topic) => labsOf(topic).includes(id));

/** The same as data. */
export const coverageJson = (topics: readonly Topic[]) => ({
  topics: topics.map((topic) => ({ ...topic, state: topicState(topic), labs: labsOf(topic) })),
});
