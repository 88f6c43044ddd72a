import { HOST_PARTS } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { LABS } from '../src/catalog/labs.js';

const labs = LABS.map(({ description }) => description).filter(({ steps }) => steps?.some((s) => s.picture));

describe.each(labs)('the picture of $id', ({ roles, steps = [] }) => {
  const known = roles.flatMap(({ name }) => HOST_PARTS.map((part) => `${name}.${part}`));

  it('is declared by every step, with parts and roles that exist', () => {
    for (const { picture } of steps) {
      expect(picture).toBeDefined();
      const { makes = [], uses = [], removes = [], sends = [] } = picture!;
      expect([...makes, ...uses, ...removes].filter((part) => !known.includes(part))).toEqual([]);
      for (const { from, to } of sends)
        expect(roles.map(({ name }) => name)).toEqual(expect.arrayContaining([from, to]));
    }
  });

  it('uses and destroys only what was made, and leaves nothing', () => {
    const there = new Set(known.filter((part) => part.endsWith('.device')));
    for (const { id, picture } of steps) {
      const { makes = [], uses = [], removes = [] } = picture!;
      for (const part of makes) there.add(part);
      expect([id, [...uses, ...removes].filter((part) => !there.has(part))]).toEqual([id, []]);
      for (const part of removes) there.delete(part);
    }
    expect([...there].filter((part) => !part.endsWith('.device'))).toEqual([]);
  });
});

describe.each(LABS.flatMap(({ description: { id, ending } }) => (ending ? [{ id, ending }] : [])))(
  'the ending of $id',
  ({ ending }) => {
    it.each(ending.next)('leads to a lab that takes its parameters: $title', ({ lab, parameters = {} }) => {
      expect(LABS.find(({ description }) => description.id === lab)!.parse(parameters)).toMatchObject(
        parameters,
      );
    });
  },
);
