import { describe, expect, it } from 'vitest';
import { britishWords, namelessComments } from '../lib/words.mjs';

/** The lines of a text that a check names. */
const linesOf = (found: readonly { line: number }[]): number[] => found.map(({ line }) => line);

/** Code with a comment at a place. In pieces, so that lint does not find it here. */
const SLASHES = '/'.repeat(2);
const STAR = `/${'*'}`;

describe('comments', () => {
  it.each(['Of', 'of', 'That', 'One', 'The same', 'And', 'or'])('do not begin with “%s”', (word) => {
    for (const comment of [
      `${SLASHES} ${word} which the reader has to guess`,
      `  uint32_t qpn = 0;  ${SLASHES} ${word} the victim`,
      `${STAR}* ${word} each packet. */`,
      `{${STAR} ${word} each packet. */}`,
      `  ack = 1, ${STAR} ${word} the peer */`,
      `${STAR}*\n * ${word} each packet,\n * in their order.\n */`,
    ])
      expect(linesOf(namelessComments(`const a = 1;\n${comment}\nconst b = 2;`)), comment).toEqual([2]);
  });

  it('may have these words behind the first, in a line that continues one, and in strings', () => {
    for (const code of [
      `${SLASHES} Packets of the victim`,
      `${SLASHES} One-way delay`,
      `${SLASHES} Ordinals: one per packet`,
      `${SLASHES} The smallest size\n${SLASHES} of a packet`,
      `const url = 'https:${SLASHES}one.example';`,
      `${STAR}* @param of the thing */`,
    ])
      expect(namelessComments(code), code).toEqual([]);
  });
});

describe('spelling', () => {
  it.each([
    ['col|our', 'color'],
    ['neighb|ours', 'neighbors'],
    ['isGreyCol|our', 'isGreyColor'],
    ['behavi|our', 'behavior'],
    ['norm|alise', 'normalize'],
    ['Serial|isation', 'Serialization'],
    ['anal|yse', 'analyze'],
    ['LAB_CATALO|GUE', 'CATALOG'],
    ['cent|red', 'centered'],
    ['gr|ey', 'gray'],
    ['licen|ce', 'license'],
    ['signal|led', 'signaled'],
    ['isTunnel|led', 'isTunneled'],
    ['travel|led', 'traveled'],
    ['model|led', 'modeled'],
    ['kilomet|res', 'kilometers'],
    ['acknowledge|ment', 'acknowledgment'],
    ['misspe|lt', 'misspelled'],
  ])('is American: %s', (halves, cure) => {
    const found = britishWords(`A packet.\nThe ${halves.replace('|', '')} of a packet.`);
    expect(found).toMatchObject([{ line: 2, cure: `write “${cure}”` }]);
  });

  it('leaves other words alone', () => {
    const words =
      'four hours, your course, promise, otherwise, exercise, analyses, dialogue, cancelled, aria-labelledby, ' +
      'called, rolling, metrics, center, fiberglass, lettre, precise, real issues, a general is here, organism';
    expect(britishWords(words)).toEqual([]);
  });
});
