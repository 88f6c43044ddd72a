/** The text of a lab, text.md: fixed sections of Markdown, with values of the run and links into the page. */
import type { LabDescription } from '@verbslab/protocol';
import { lexer, type Token } from 'marked';
import { TEXTS } from '../generated/texts.js';
import { MarkdownReader } from '../base/markdown.js';
import {
  SECTIONS,
  VALUE_KINDS,
  type Block,
  type Inline,
  type LabText,
  type LiveValue,
} from '../base/text-form.js';

/** A text as far as it could be read, and its faults as sentences. */
export interface ReadText {
  text: LabText;
  faults: string[];
}

const VALUE = /\{\{\s*([^{}]*?)\s*\}\}/;

class Faults {
  readonly list: string[] = [];

  readonly reader = new MarkdownReader({
    text: (text) => this.#text(text),
    link: (href, children) => this.#link(href, children),
    other: ({ raw, type }) => {
      this.list.push(`“${raw.trim()}” (${type}) cannot be shown.`);
      return null;
    },
    lineBreak: ' ',
  });

  #text(text: string): Inline[] {
    return text.split(new RegExp(VALUE, 'g')).flatMap((part, i): Inline[] => {
      if (i % 2 === 0) return part === '' ? [] : [{ kind: 'text', text: part }];
      const [of = '', name = ''] = part.split(':').map((word) => word.trim());
      const known = VALUE_KINDS.find((kind) => kind === of);
      if (known) return [{ kind: 'value', of: known, name }];
      this.list.push(`{{${part}}} is no value. Use {{${VALUE_KINDS.join(':name}}, {{')}:name}}.`);
      return [];
    });
  }

  #link(href: string, children: Inline[]): Inline[] {
    const [scheme, rest = ''] = [href.slice(0, href.indexOf(':')), href.slice(href.indexOf(':') + 1)];
    if (scheme === 'https') return [{ kind: 'link', href, children }];
    if (scheme === 'lab') return [{ kind: 'lab', lab: rest, children }];
    if (scheme === 'panel') return [{ kind: 'panel', view: rest, children }];
    this.list.push(`A link goes to “${href}”. Use https:, lab:<id> or panel:<id>.`);
    return children;
  }
}

/** Reads a text.md. */
export function readText(markdown: string): ReadText {
  const faults = new Faults();
  const tokens = new Map<string, Token[]>();
  let open: Token[] | null = null;
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) tokens.set(token.text as string, (open = []));
    else if (open) open.push(token);
    else if (token.type !== 'space')
      faults.list.push(`“${token.raw.trim()}” stands before the first section.`);
  }
  const titles = Object.values(SECTIONS);
  const found = [...tokens.keys()];
  if (found.join('\n') !== titles.join('\n'))
    faults.list.push(
      `Its sections are ${found.join(', ') || 'none'}. Use, in this order: ${titles.join(', ')}.`,
    );
  const text = Object.fromEntries(
    Object.entries(SECTIONS).map(([id, title]) => {
      const blocks = faults.reader.blocks(tokens.get(title) ?? []);
      if (blocks.length === 0) faults.list.push(`The section “${title}” is missing or empty.`);
      return [id, blocks];
    }),
  ) as LabText;
  return { text, faults: faults.list };
}

/**
 * Reads Markdown that is not in sections: the text or a hint of a task.
 *
 * @throws Error for what a page cannot show
 */
export function readBlocks(markdown: string): Block[] {
  const faults = new Faults();
  const blocks = faults.reader.blocks(lexer(markdown));
  if (faults.list.length > 0) throw new Error(faults.list.join(' '));
  return blocks;
}

function inlines(blocks: readonly Block[]): Inline[] {
  const inside = (list: readonly Inline[]): Inline[] =>
    list.flatMap((one) => ('children' in one ? [one, ...inside(one.children)] : [one]));
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'list':
        return block.items.flatMap(inlines);
      case 'table':
        return [...block.head, ...block.rows.flat()].flatMap(inside);
      case 'quote':
        return inlines(block.blocks);
      case 'code':
      case 'rule':
        return [];
      case 'paragraph':
      case 'heading':
        return inside(block.children);
    }
  });
}

/**
 * Parts of a text that do not fit its lab: values that the lab does not declare, panels that it does not watch, labs
 * that do not exist.
 */
export function textFaults(text: LabText, lab: LabDescription, labs: readonly string[]): string[] {
  const names: Record<LiveValue['of'], readonly string[]> = {
    figure: (lab.results?.figures ?? []).map(({ name }) => name),
    deviation: (lab.results?.figures ?? []).map(({ name }) => name),
    param: Object.keys((lab.params.properties ?? {}) as object),
    check: lab.checks.map(({ id }) => id),
    finding: lab.checks.map(({ id }) => id),
    outcome: (lab.predictions ?? []).map(({ id }) => id),
  };
  return inlines(Object.values(text).flat()).flatMap((one) => {
    if (one.kind === 'value' && !names[one.of].includes(one.name))
      return [`{{${one.of}:${one.name}}} names no ${one.of} of the lab.`];
    if (one.kind === 'panel' && !lab.watch.includes(one.view))
      return [`The panel “${one.view}” is not among those that the lab watches.`];
    if (one.kind === 'lab' && !labs.includes(one.lab)) return [`There is no lab “${one.lab}”.`];
    return [];
  });
}

/** The text of a lab of the catalog; null where it has no text.md. */
export function labText(id: string): LabText | null {
  const markdown = Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
  return markdown === undefined ? null : readText(markdown).text;
}
