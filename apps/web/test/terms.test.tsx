import { readdirSync, readFileSync } from 'node:fs';
import { labText, LABS } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { STATE_TERMS } from '../src/ui/qp-states';
import { Gloss } from '../src/ui/gloss';
import { spansOf } from '../src/ui/term-spans';
import { TERMS } from '../src/ui/terms';

/** Every text of a lab that a page shows through Gloss. */
function textsOf(lab: LabDescription): string[] {
  const properties = Object.values((lab.params.properties ?? {}) as Record<string, { description?: string }>);
  return [
    lab.summary,
    ...lab.roles.map(({ text }) => text ?? ''),
    ...(lab.steps ?? []).map(({ text }) => text),
    ...lab.checks.map(({ text }) => text),
    ...(lab.ending?.seen ?? []),
    ...(lab.ending?.next ?? []).map(({ text }) => text),
    ...properties.map(({ description }) => description ?? ''),
  ];
}
const texts = LABS.flatMap(({ description }) => textsOf(description));

const SRC = new URL('../src/', import.meta.url);
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(new URL(file, SRC), 'utf8'))
  .join('\n');

/** Words in capitals that every reader of these pages knows, or that the same sentence explains. */
const KNOWN = new Set(['TCP', 'IP', 'CPU', 'ID', 'B', 'KB', 'MB', 'GB', 'VERBSLAB_MODULE', 'TIMELY']);

describe('the glossary', () => {
  it('has no entry that no page explains', () => {
    const used = new Set([
      ...texts.flatMap((text) => spansOf(text).map(({ id }) => id)),
      ...LABS.flatMap(({ description: { id } }) =>
        spansOf(JSON.stringify(labText(id))).map((span) => span.id),
      ),
      ...Object.values(STATE_TERMS),
      ...[...sources.matchAll(/<Term id="(\w+)"/g)].map((match) => match[1]),
    ]);
    expect(Object.keys(TERMS).filter((id) => !used.has(id as keyof typeof TERMS))).toEqual([]);
  });

  it.each(texts.filter(Boolean))('explains each word in capitals: %s', (text) => {
    const forms = Object.values(TERMS).flatMap((entry: { term: string; forms?: readonly string[] }) => [
      entry.term,
      ...(entry.forms ?? []),
    ]);
    const rest = forms
      .sort((a, b) => b.length - a.length)
      .reduce((left, form) => left.replaceAll(new RegExp(`(?<![\\w-])${form}(?![\\w-])`, 'g'), ''), text);
    const capitals = rest.match(/(?<!\w)[A-Z][A-Z_]+s?(?!\w)/g) ?? [];
    expect(capitals.filter((word) => !KNOWN.has(word))).toEqual([]);
  });

  it('takes the longest form, each term once, at the beginning of a sentence too', () => {
    const text = 'Completions go to the completion queue. A completion of a `QP` is no QPN.';
    expect(spansOf(text).filter(({ id }) => id)).toEqual([
      { text: 'Completions', id: 'cqe' },
      { text: 'completion queue', id: 'cq' },
      { text: 'QP', id: 'qp' },
      { text: 'QPN', id: 'qpn' },
    ]);
    expect(
      spansOf(text)
        .map((span) => span.text)
        .join(''),
    ).toBe(text);
  });

  it('does not take the name of this program for a term', () => {
    const ids = (text: string) => spansOf(text).flatMap(({ id }) => id ?? []);
    expect(ids('Here Verbs Lab passes them on.')).toEqual([]);
    expect(ids('Verbs are calls.')).toEqual(['verbs']);
  });

  it('explains on hover, focus and touch, and leaves code alone', () => {
    const html = renderToStaticMarkup(<Gloss>A QP, and `ibv_destroy_qp(QP)`</Gloss>);
    expect(html.match(/<button/g)).toHaveLength(1);
    expect(html).toContain(`role="tooltip"`);
    expect(html).toContain(TERMS.qp.meaning);
    expect(html).toContain('<code class="num text-[0.93em]">ibv_destroy_qp(QP)</code>');
  });

  it('keeps the punctuation after a term on its line', () => {
    const html = renderToStaticMarkup(<Gloss>A QP, then a CQ.</Gloss>);
    expect(
      html.match(/<span class="whitespace-nowrap"><button.*?<\/button>.*?<\/span>[,.]<\/span>/g),
    ).toHaveLength(2);
    expect(html.replace(/<span[^>]*popover.*?<\/span>/g, '').replace(/<[^>]*>/g, '')).toBe(
      'A QP, then a CQ.',
    );
  });
});
