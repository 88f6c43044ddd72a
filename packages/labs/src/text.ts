/** The text of a lab, text.md: fixed sections of Markdown, with values of the run and links into the page. */
import { WATCH_VIEWS, type LabDescription } from '@verbslab/protocol';
import { lexer, type Token, type Tokens } from 'marked';
import { TEXTS } from './generated/texts.js';
import { SECTIONS, VALUE_KINDS, type Block, type Inline, type LabText, type LiveValue } from './text-form.js';

/** What is wrong with a text, as sentences; and the text as far as it could be read. */
export interface ReadText {
  text: LabText;
  faults: string[];
}

const VALUE = /\{\{\s*([^{}]*?)\s*\}\}/;

class Reader {
  readonly faults: string[] = [];

  #plain(text: string): Inline[] {
    // Lines of the file end where they have room: terms may go over two.
    const line = text.replaceAll(/\s*\n\s*/g, ' ');
    return line.split(new RegExp(VALUE, 'g')).flatMap((part, i): Inline[] => {
      if (i % 2 === 0) return part === '' ? [] : [{ kind: 'text', text: part }];
      const [of = '', name = ''] = part.split(':').map((word) => word.trim());
      const known = VALUE_KINDS.find((kind) => kind === of);
      if (known) return [{ kind: 'value', of: known, name }];
      this.faults.push(`{{${part}}} is no value. Use {{${VALUE_KINDS.join(':name}}, {{')}:name}}.`);
      return [];
    });
  }

  #link({ href, tokens }: Tokens.Link): Inline[] {
    const children = this.inline(tokens);
    const [scheme, rest = ''] = [href.slice(0, href.indexOf(':')), href.slice(href.indexOf(':') + 1)];
    if (scheme === 'https') return [{ kind: 'link', href, children }];
    if (scheme === 'lab') return [{ kind: 'lab', lab: rest, children }];
    const view = WATCH_VIEWS.find((one) => one === rest);
    if (scheme === 'panel' && view) return [{ kind: 'panel', view, children }];
    this.faults.push(`A link goes to “${href}”. Use https:, lab:<id> or panel:<view>.`);
    return children;
  }

  inline(tokens: readonly Token[] = []): Inline[] {
    return tokens.flatMap((token): Inline[] => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return 'tokens' in token && token.tokens
            ? this.inline(token.tokens)
            : this.#plain(token.text as string);
        case 'strong':
        case 'em':
          return [{ kind: token.type, children: this.inline(token.tokens) }];
        case 'codespan':
          return [{ kind: 'code', text: token.text as string }];
        case 'link':
          return this.#link(token as Tokens.Link);
        case 'br':
          return [{ kind: 'text', text: ' ' }];
        default:
          this.faults.push(`“${token.raw.trim()}” (${token.type}) cannot be shown.`);
          return [];
      }
    });
  }

  blocks(tokens: readonly Token[]): Block[] {
    return tokens.flatMap((token): Block[] => {
      switch (token.type) {
        case 'space':
          return [];
        case 'paragraph':
        case 'text':
          return [{ kind: 'paragraph', children: this.inline(token.tokens ?? [token]) }];
        case 'heading':
          return [{ kind: 'heading', children: this.inline(token.tokens) }];
        case 'code':
          return [{ kind: 'code', lang: (token as Tokens.Code).lang ?? '', text: token.text as string }];
        case 'list': {
          const { ordered, items } = token as Tokens.List;
          return [{ kind: 'list', ordered, items: items.map((item) => this.blocks(item.tokens)) }];
        }
        case 'table': {
          const { header, rows } = token as Tokens.Table;
          const cell = ({ tokens: inside }: Tokens.TableCell): Inline[] => this.inline(inside);
          return [{ kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) }];
        }
        default:
          this.faults.push(`“${token.raw.trim()}” (${token.type}) cannot be shown.`);
          return [];
      }
    });
  }
}

/** Reads a text.md. */
export function readText(markdown: string): ReadText {
  const reader = new Reader();
  const tokens = new Map<string, Token[]>();
  let open: Token[] | null = null;
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) tokens.set(token.text as string, (open = []));
    else if (open) open.push(token);
    else if (token.type !== 'space')
      reader.faults.push(`“${token.raw.trim()}” stands before the first section.`);
  }
  const titles = Object.values(SECTIONS);
  const found = [...tokens.keys()];
  if (found.join('\n') !== titles.join('\n'))
    reader.faults.push(
      `Its sections are ${found.join(', ') || 'none'}. Use, in this order: ${titles.join(', ')}.`,
    );
  const text = Object.fromEntries(
    Object.entries(SECTIONS).map(([id, title]) => {
      const blocks = reader.blocks(tokens.get(title) ?? []);
      if (blocks.length === 0) reader.faults.push(`The section “${title}” is empty.`);
      return [id, blocks];
    }),
  ) as LabText;
  return { text, faults: reader.faults };
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
      case 'code':
        return [];
      case 'paragraph':
      case 'heading':
        return inside(block.children);
    }
  });
}

/** What of a text does not fit its lab: values that the lab does not declare, panels that it does not watch, labs that do not exist. */
export function textFaults(text: LabText, lab: LabDescription, labs: readonly string[]): string[] {
  const names: Record<LiveValue['of'], readonly string[]> = {
    figure: (lab.results?.figures ?? []).map(({ name }) => name),
    param: Object.keys((lab.params.properties ?? {}) as object),
    check: lab.checks.map(({ id }) => id),
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

/** The text of a lab of the catalogue; null where it has no text.md. */
export function labText(id: string): LabText | null {
  const markdown = Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
  return markdown === undefined ? null : readText(markdown).text;
}
