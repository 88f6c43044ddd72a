/** The topics of the catalog: everything that they name exists, in labs and in tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LABS } from '../src/index.js';
import { topicFaults, type Topic } from './topics/topic-faults.js';

const root = join(import.meta.dirname, '../../..');
const folder = join(import.meta.dirname, 'topics');

const TOPICS = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Topic[])
  .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));

function missingIn({ test, says }: { test: string; says: string }): string[] {
  const path = join(root, test);
  if (!existsSync(path)) return [`there is no ${test}`];
  return readFileSync(path, 'utf8').includes(says) ? [] : [`${test} does not say “${says}”`];
}

const PER_GROUP = { A: 16, B: 4, C: 11, D: 8, E: 4 };

/** Topics without an open point. */
const WHOLE = [
  ...['A1', 'A2', 'A3', 'A4', 'A6', 'A8', 'A9', 'A10', 'A11', 'A12', 'A13', 'A16'],
  ...[
    'B1',
    'B2',
    'B3',
    'C1',
    'C2',
    'C3',
    'C4',
    'C5',
    'C6',
    'C7',
    'C9',
    'C11',
    'D1',
    'D2',
    'D4',
    'D5',
    'D6',
    'D8',
    'E2',
    'E3',
  ],
];

describe('the topics', () => {
  it('are A1 to E4, each once', () => {
    expect(TOPICS.map(({ id }) => id)).toEqual(
      Object.entries(PER_GROUP).flatMap(([group, count]) =>
        Array.from({ length: count }, (_, i) => `${group}${i + 1}`),
      ),
    );
  });

  it('name labs, checks, results and questions that exist', () => {
    expect(topicFaults(TOPICS, LABS)).toEqual([]);
  });

  it.each(TOPICS.map((topic) => [topic.id, topic] as const))('%s: its tests say so', (_id, { expected }) => {
    expect(expected.flatMap(({ tests = [] }) => tests).flatMap(missingIn)).toEqual([]);
  });

  it('are covered where the catalog claims to be whole', () => {
    expect(
      TOPICS.filter(
        ({ id, expected }) => WHOLE.includes(id) && expected.some(({ open }) => open !== undefined),
      ),
    ).toEqual([]);
  });
});

it('says what of a topic does not exist', () => {
  const topic = (id: string, expected: Topic['expected']): Topic => ({ id, title: id, expected });
  const what = 'speed';
  const found = (
    labs: NonNullable<Topic['expected'][number]['labs']>,
    open?: string,
    exercises: readonly string[] = [],
  ): string =>
    topicFaults(
      [topic('X1', [{ what, labs, exercises, ...(open === undefined ? {} : { open }) }])],
      LABS,
    ).join('\n');
  expect(found([{ lab: 'bulk', checks: ['icrc'] }])).toBe('');
  expect(found([{ lab: 'bulks', checks: ['icrc'] }])).toBe('X1, speed: there is no lab “bulks”.');
  expect(found([{ lab: 'bulk', checks: ['icr'] }])).toContain('“bulk” has no “icr” among its checks');
  expect(found([{ lab: 'bulk', selfChecks: ['icrc'] }])).toContain('among its selfChecks');
  expect(found([{ lab: 'bulk' }])).toContain('nothing of the lab “bulk” is named');
  expect(found([], undefined, ['immediate'])).toBe('');
  expect(found([], undefined, ['immediat'])).toContain('there is no exercise “immediat”');
  expect(found([])).toContain('nothing shows it, and no reason is given');
  expect(found([{ lab: 'bulk', checks: ['icrc'] }], 'later')).toContain('both shown and open');
  expect(topicFaults([topic('X1', []), topic('X1', [])], LABS)).toEqual([
    'X1 is listed twice.',
    'X1 expects nothing.',
    'X1 expects nothing.',
  ]);
  expect(missingIn({ test: 'packages/labs/test/none.test.ts', says: 'x' })[0]).toContain('there is no');
});
