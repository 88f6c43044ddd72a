import { labCode, LABS } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { highlight } from '../src/parts/text/highlight';

/** The pieces of a kind, in order. */
const of = (kind: string, ...args: Parameters<typeof highlight>): string[] =>
  highlight(...args)
    .flat()
    .flatMap((piece) => (piece.kind === kind ? [piece.text] : []));

describe('the colors of a program', () => {
  it('leave every character of every program where it was', () => {
    const files = LABS.flatMap(({ description }) => labCode(description.id));
    expect(files.length).toBeGreaterThan(0);
    for (const { language, files: list } of files)
      for (const { text } of list) {
        const lines = highlight(text, language);
        expect(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n')).toBe(text);
      }
  });

  it('take a quote in a comment, and a comment in a string, for what they are', () => {
    const c = 'int a = 1;  // the client\'s "first"\nputs("// no comment");\n';
    expect(of('comment', c, 'C')).toEqual(['// the client\'s "first"']);
    expect(of('string', c, 'C')).toEqual(['"// no comment"']);
    expect(of('keyword', c, 'C')).toEqual(['int']);
  });

  it('know each language', () => {
    expect(of('comment', '"""Two\nlines."""\nx = 1  # why\n', 'Python')).toEqual([
      '"""Two',
      'lines."""',
      '# why',
    ]);
    expect(of('string', 'print(f"a {b}")', 'Python')).toEqual(['f"a {b}"']);
    expect(of('string', 'log(`it’s ${n}`);', 'TypeScript')).toEqual(['`it’s ${n}`']);
    expect(of('keyword', '#include <stdio.h>', 'C')).toEqual(['#include']);
    expect(of('keyword', 'await using a = b();', 'TypeScript')).toEqual(['await', 'using']);
  });
});
