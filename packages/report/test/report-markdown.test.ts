import { readNote } from '@verbslab/labs/markdown';
import fc from 'fast-check';
import { parse } from 'marked';
import { describe, expect, it } from 'vitest';
import { escapeMarkdown } from '../src/markdown/escape.js';
import { noteMarkdown } from '../src/markdown/note.js';
import { reportMarkdown } from '../src/markdown/report.js';
import { DONE } from '../../../apps/web/test/simulated.js';
import { bulk, note, result, run, source } from './source.js';

const rendered = (markdown: string): string => parse(markdown, { gfm: true, async: false });

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Text of HTML as a page shows it. */
const shown = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&([a-z]+|#39);/g, (_, name: string) => ENTITIES[name]!);

describe('the Markdown report', () => {
  it('is this for a run that measured RDMA and TCP', async () => {
    await expect(reportMarkdown(source())).toMatchFileSnapshot('golden/bulk.md.txt');
  });

  it('folds the curves of a simulation, which are long', () => {
    const us = Array.from({ length: 40 }, (_, i) => 20 * (i + 1));
    const series = { ...DONE.series!, us, received: [{ host: 0, gbps: us.map(() => 94) }] };
    const report = reportMarkdown(source({ simulations: [{ ...DONE, series }] }));
    expect(report).toMatch(
      /<summary>Payload received, what came again included<\/summary>\n\n\| Virtual time, µs/,
    );
  });

  it('folds a long curve of a lab with what it says', () => {
    const points = Array.from({ length: 40 }, (_, i) => ({ x: i, y: i }));
    const spec = {
      name: 'c',
      label: 'Cost',
      text: 'A point each.',
      x: { label: 'Size' },
      y: { label: 'Time' },
    };
    const results = {
      ...{ figures: {}, tables: {}, predicted: {}, outcomes: {} },
      curves: { c: points },
    };
    const report = reportMarkdown(
      source({ lab: { ...bulk, results: { curves: [spec] } }, run: run({ result: result({ results }) }) }),
    );
    expect(report).toMatch(/<summary>Cost<\/summary>\n\nA point each\.\n\n\| Size/);
  });

  it('shows hostile text as text', () => {
    const attack = '<script>alert(1)</script> | `x` **b** [a](javascript:alert(1)) ![p](https://e.org/p.png)';
    const html = rendered(
      reportMarkdown(
        source({
          run: run({
            title: attack,
            tags: [attack],
            parameters: { [attack]: attack },
            result: result({ answer: attack, checks: [{ id: attack, ok: true, detail: attack }] }),
          }),
          lab: null,
          notes: [note(attack)],
        }),
      ),
    );
    expect(html).not.toMatch(/<script|<img|javascript:alert\(1\)"/);
    // Title twice, tag, answer, parameter and its value, check and its detail.
    expect(shown(html).split(attack)).toHaveLength(9);
  });

  it('escapes text so that it reads as it was', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'\\`*_[]#|~<>&-+=!().:1 '.split(''),
        '&amp;',
        '&lt',
        'a_b',
        '_a_',
        '1. ',
        '- ',
        '# ',
        '~~x~~',
      ),
      fc.stringMatching(/^[A-Za-zé]{1,3}$/),
    );
    const line = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join('').trim());
    fc.assert(
      fc.property(
        line.filter((text) => text !== ''),
        (text) => {
          const html = rendered(escapeMarkdown(text));
          expect(html).toMatch(/^<p>/);
          expect(shown(html).trim().replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    [
      'plain **bold *and em*** `code` `` a`b `` [link](https://example.org/a_(b)?x=<2>)',
      'plain **bold *and em*** `code` `` a`b `` [link](<https://example.org/a_(b)?x=%3C2%3E>)',
    ],
    [
      '- [x] done\n- two\n  1. in it\n\n> quote\n>\n> - item',
      '- ☑ done\n- two\n\n  1. in it\n\n> quote\n>\n> - item',
    ],
    ['````\n```\nfence\n```\n````', '````\n```\nfence\n```\n````'],
    ['| a | b |\n|-|-|\n| `x \\| y` | 2 |', '| a | b |\n| --- | --- |\n| `x \\| y` | 2 |'],
    [
      '### heading\n\n---\n\n1\\. no list\n2\\. nor here',
      '#### heading\n\n---\n\n1\\. no list  \n2\\. nor here',
    ],
    ['\\# no heading\n\\- no list\n\\===', '\\# no heading  \n\\- no list  \n\\==='],
    [
      'a<b> ![p](https://example.org/p.png) ~~x~~',
      'a&lt;b&gt; [image: p](<https://example.org/p.png>) \\~\\~x\\~\\~',
    ],
    ['[a](javascript:alert(1)) <img src=x onerror=alert(1)>', 'a &lt;img src=x onerror=alert(1)&gt;'],
  ])('writes the note %s as %s', (text, written) => {
    expect(noteMarkdown(readNote(text))).toBe(written);
  });
});
