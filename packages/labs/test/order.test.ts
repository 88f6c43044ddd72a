import { describe, expect, it } from 'vitest';
import { labText, LABS, nextLabs, orderFaults } from '../src/index.js';

const chain = LABS.map(({ description: { id } }) => ({ id, next: nextLabs(labText(id)!) }));

describe('“Next” on the pages of the labs', () => {
  it('leads through the whole catalog in its order', () => {
    expect(orderFaults(chain)).toEqual([]);
    const next = new Map(chain.map((lab) => [lab.id, lab.next[0]!]));
    const seen = new Set<string>();
    for (let at = chain[0]!.id; !seen.has(at); at = next.get(at)!) seen.add(at);
    expect([...seen]).toEqual(chain.map(({ id }) => id));
  });

  it('may not skip, go back or end early', () => {
    expect(
      orderFaults([
        { id: 'a', next: ['c', 'b'] },
        { id: 'b', next: ['a'] },
        { id: 'c', next: [] },
        { id: 'd', next: ['b'] },
      ]),
    ).toEqual([
      '“Next” of a names c. The catalog’s next lab is b.',
      '“Next” of b names a. The catalog’s next lab is c.',
      '“Next” of c names no lab. The catalog’s next lab is d.',
    ]);
  });
});
