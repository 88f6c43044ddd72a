import { expect, test } from 'vitest';
import { neededBy, type LabDescription } from '../src/index.js';

const lab = (properties: Readonly<Record<string, unknown>>): Pick<LabDescription, 'needs' | 'params'> => ({
  needs: ['tap'],
  params: { type: 'object', properties } as LabDescription['params'],
});

test('a lab needs what it says, and what the chosen values need', () => {
  const { needs, params } = lab({ verb: { choiceNeeds: { atomic: ['atomics', 'tap'], read: [] } } });
  expect(neededBy({ needs, params }, { verb: 'atomic' })).toEqual(['tap', 'atomics']);
  expect(neededBy({ needs, params }, { verb: 'read' })).toEqual(['tap']);
  expect(neededBy({ needs, params }, { verb: 'unknown' })).toEqual(['tap']);
});

test('capabilities of another version, and what is no list of them, count for nothing', () => {
  for (const choiceNeeds of [{ on: ['telepathy', 'srq'] }, { on: 'srq' }, { on: null }, null, 7])
    expect(neededBy(lab({ mode: { choiceNeeds } }), { mode: 'on' })).toEqual(
      Array.isArray((choiceNeeds as { on?: unknown } | null)?.on) ? ['tap', 'srq'] : ['tap'],
    );
  expect(neededBy(lab({ mode: null, other: true }), { mode: 'on' })).toEqual(['tap']);
});
