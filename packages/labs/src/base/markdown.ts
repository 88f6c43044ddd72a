/** Parses Markdown into data, which each view renders in its own way. It never produces HTML. */
import { lexer, type Token, type Tokens } from 'marked';
import type { Block, Inline } from './text-form.js';

export interface MarkdownRules {
  /** Text between marks. */
  text: (text: string) => Inline[];
  link: (href: string, children: Inline[]) => Inline[];
  /** Text of tokens without a form of their own: HTML, images and the like. Null leaves them out. */
  other: (token: Token) => string | null;
  lineBreak: string;
}

/** Turns what marked reads into blocks. */
export class MarkdownReader {
  readonly #rules: MarkdownRules;

  constructor(rules: MarkdownRules) {
    this.#rules = rules;
  }

  #other(token: Token): Inline[] {
    const text = this.#rules.other(token);
    return text === null ? [] : [{ kind: 'text', text }];
  }

  inline(tokens: readonly Token[] = []): Inline[] {
    return tokens.flatMap((token): Inline[] => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return 'tokens' in token && token.tokens
            ? this.inline(token.tokens)
            : // Lines of the source end where they have room: terms may go over two.
              this.#rules.text((token.text as string).replaceAll(/\s*\n\s*/g, ' '));
        case 'strong':
        case 'em':
          return [{ kind: token.type, children: this.inline(token.tokens) }];
        case 'codespan':
          return [{ kind: 'code', text: token.text as string }];
        case 'link':
          return this.#rules.link((token as Tokens.Link).href, this.inline(token.tokens));
        case 'br':
          return [{ kind: 'text', text: this.#rules.lineBreak }];
        default:
          return this.#other(token);
      }
    });
  }

  blocks(tokens: readonly Token[]): Block[] {
    return tokens.flatMap((token): Block[] => {
      switch (token.type) {
        case 'space':
        case 'def':
          return [];
        case 'paragraph':
        case 'text':
          return [{ kind: 'paragraph', children: this.inline(token.tokens ?? [token]) }];
        case 'heading':
          return [{ kind: 'heading', children: this.inline(token.tokens) }];
        case 'code':
          return [{ kind: 'code', lang: (token as Tokens.Code).lang ?? '', text: token.text as string }];
        case 'blockquote':
          return [{ kind: 'quote', blocks: this.blocks(token.tokens ?? []) }];
        case 'list': {
          const { ordered, items } = token as Tokens.List;
          return [{ kind: 'list', ordered, items: items.map((item) => this.blocks(item.tokens)) }];
        }
        case 'table': {
          const { header, rows } = token as Tokens.Table;
          const cell = ({ tokens: inside }: Tokens.TableCell): Inline[] => this.inline(inside);
          return [{ kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) }];
        }
        default: {
          const children = this.#other(token);
          return children.length === 0 ? [] : [{ kind: 'paragraph', children }];
        }
      }
    });
  }
}

const WEB = /^https?:\/\//i;

class NoteReader extends MarkdownReader {
  constructor() {
    super({
      text: (text) => (text === '' ? [] : [{ kind: 'text', text }]),
      // Only web links: other schemes could run code or name files of the reader's machine.
      link: (href, children) => (WEB.test(href) ? [{ kind: 'link', href, children }] : children),
      other: ({ raw }) => raw.replace(/\n+$/, ''),
      lineBreak: '\n',
    });
  }

  override inline(tokens: readonly Token[] = []): Inline[] {
    return tokens.flatMap((token): Inline[] => {
      // Only a link to the image: a page that fetched it would tell the image's server who reads the note.
      if (token.type === 'image' && WEB.test(token.href as string))
        return [
          {
            kind: 'link',
            href: token.href as string,
            children: [{ kind: 'text', text: `image: ${token.text}` }],
          },
        ];
      if (token.type === 'del') return [{ kind: 'text', text: token.raw }];
      return super.inline([token]);
    });
  }

  override blocks(tokens: readonly Token[]): Block[] {
    const [first, ...rest] = tokens;
    if (first?.type === 'checkbox') {
      const box: Inline = { kind: 'text', text: first.checked ? '☑ ' : '☐ ' };
      const [text, ...more] = this.blocks(rest);
      return text?.kind === 'paragraph'
        ? [{ ...text, children: [box, ...text.children] }, ...more]
        : [{ kind: 'paragraph', children: [box] }, ...(text ? [text, ...more] : [])];
    }
    return tokens.flatMap((token): Block[] => {
      if (token.type === 'hr') return [{ kind: 'rule' }];
      return super.blocks([token]);
    });
  }
}

/** Deeper than anyone writes by hand, and deep enough to overflow the stack of a recursive reader. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){50}/m;

/** A note: all of Markdown but raw HTML and pictures, which are shown as they were typed or as links. */
export const readNote = (markdown: string): Block[] =>
  TOO_DEEP.test(markdown)
    ? [{ kind: 'code', lang: '', text: markdown }]
    : new NoteReader().blocks(lexer(markdown, { gfm: true, breaks: true }));

export type { Block, Inline } from './text-form.js';
