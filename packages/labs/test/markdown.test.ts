/** Markdown of notes, which comes from a person or from an imported file. */
import { describe, expect, it } from 'vitest';
import { readNote, type Block, type Inline } from '../src/base/markdown.js';

const inlineText = (list: readonly Inline[]): string =>
  list.map((one) => ('children' in one ? inlineText(one.children) : 'text' in one ? one.text : '')).join('');
const textOf = (blocks: readonly Block[]): string =>
  blocks
    .map((one) => ('children' in one ? inlineText(one.children) : one.kind === 'code' ? one.text : ''))
    .join('\n');
const links = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((one) =>
    'children' in one ? one.children.flatMap((part) => (part.kind === 'link' ? part.href : [])) : [],
  );

describe('a note', () => {
  it('has headings, emphasis, code, lists, quotes, rules and tables', () => {
    const kinds = readNote(
      '# Title\n\nA *b* **c** `d`\n\n- one\n- two\n\n> said\n\n---\n\n|a|b|\n|-|-|\n|1|2|\n\n```c\nint x;\n```\n',
    ).map(({ kind }) => kind);
    expect(kinds).toEqual(['heading', 'paragraph', 'list', 'quote', 'rule', 'table', 'code']);
  });

  it('keeps its lines and its boxes', () => {
    expect(textOf(readNote('first\nsecond'))).toBe('first\nsecond');
    const [list] = readNote('- [x] done\n- [ ] todo');
    expect(list?.kind === 'list' && list.items.map(textOf)).toEqual(['☑ done', '☐ todo']);
  });

  const html = [
    '<script>alert(1)</script>',
    'x <img src=x onerror=alert(1)> y',
    '<b>bold</b>',
    '<!-- gone -->',
  ];
  it.each(html)('shows HTML as it was typed: %s', (text) => {
    expect(textOf(readNote(text))).toBe(text);
  });

  const addresses = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/runs',
    'JaVaScRiPt:x',
  ];
  it.each(addresses)('leads nowhere but to the web: %s', (address) => {
    const blocks = readNote(`[label](<${address}>) ![picture](<${address}>)`);
    expect(links(blocks)).toEqual([]);
    expect(textOf(blocks)).toContain('label');
  });

  it('links to pictures instead of fetching them', () => {
    const blocks = readNote('![plot](https://example.org/plot.png) and [page](https://example.org)');
    expect(links(blocks)).toEqual(['https://example.org/plot.png', 'https://example.org']);
    expect(textOf(blocks)).toBe('image: plot and page');
  });

  it.each(['>', '> ', '- ', '1. ', '> - '])(
    'is shown as typed where %j is repeated a thousand times',
    (mark) => {
      const text = `before\n\n${mark.repeat(1000)}after`;
      expect(readNote(text)).toEqual([{ kind: 'code', lang: '', text }]);
    },
  );

  it('may nest as people do, and have long rules', () => {
    const kinds = readNote(`${'> '.repeat(20)}deep\n\n${'-'.repeat(200)}`).map(({ kind }) => kind);
    expect(kinds).toEqual(['quote', 'rule']);
  });
});
