import type { Expression, Operand, Slice, Span, Word } from './ast.js';
import { FilterError } from './error.js';
import { tokens } from './lexer.js';
import type { Comparison, Token } from './lexer.js';

/** Limit of nesting. Deeper nesting would exhaust the stack, here and in the code that walks the tree. */
const MAX_DEPTH = 100;
/** Limit of parts in one expression: enough for a list of every QP of a capture. */
const MAX_TOKENS = 5_000;

/** Parses a filter; null for an empty one, which all packets pass. Throws only FilterErrors. */
export function parseFilter(text: string): Expression | null {
  const list = tokens(text);
  if (list.length === 1) return null;
  if (list.length > MAX_TOKENS)
    throw new FilterError(
      `The filter has more than ${MAX_TOKENS} parts.`,
      'Shorten it, for example with a range: `in {3..9}`.',
      list[MAX_TOKENS]!.at,
      text.length,
    );
  const parser = new Parser(list);
  const result = parser.or();
  parser.finish();
  return result;
}

class Parser {
  #at = 0;
  #depth = 0;
  constructor(private readonly list: readonly Token[]) {}

  get #next(): Token {
    return this.list[this.#at]!;
  }
  #take(): Token {
    return this.list[this.#at++]!;
  }
  #is(mark: string): boolean {
    return this.#next.kind === 'mark' && this.#next.text === mark;
  }
  #skip(mark: string): boolean {
    const is = this.#is(mark);
    if (is) this.#at++;
    return is;
  }
  #fail(what: string, cure: string, { at, end }: Span = this.#next): never {
    throw new FilterError(what, cure, at, end);
  }

  #unclosed(open: Token, opening: string, closing: string, cure: string): never {
    if (this.#next.kind === 'end')
      this.#fail(`This \`${opening}\` is not closed.`, `Add \`${closing}\`.`, open);
    this.#fail(`${this.#named()} is not expected here.`, cure);
  }

  or(): Expression {
    let left = this.#and();
    while (this.#skip('or')) left = { kind: 'or', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#skip('and')) left = { kind: 'and', left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    const start = this.#next;
    if (++this.#depth > MAX_DEPTH)
      this.#fail(
        `Parentheses and \`!\` are nested more than ${MAX_DEPTH} deep.`,
        'Remove some of them.',
        start,
      );
    const result: Expression = this.#skip('not')
      ? { kind: 'not', of: this.#not() }
      : this.#is('(')
        ? this.#group()
        : this.#relation();
    this.#depth--;
    return result;
  }

  #group(): Expression {
    const open = this.#take();
    const inner = this.or();
    if (!this.#skip(')')) this.#unclosed(open, '(', ')', 'Join tests with `&&` or `||`, or add `)`.');
    if (this.#next.kind === 'comparison' || this.#is('in') || this.#is('&'))
      this.#fail(
        'A test in parentheses cannot be compared.',
        'Remove the parentheses: `field & 0x0f == 3` needs none.',
      );
    return inner;
  }

  #relation(): Expression {
    const left = this.#operand();
    const operator = this.#next;
    if (operator.kind === 'comparison') {
      this.#at++;
      const right = this.#operand();
      const again = this.#next;
      if (again.kind === 'comparison')
        this.#fail('Comparisons cannot be chained.', 'Write `a < b && b < c`.', again);
      return { kind: 'compare', op: operator.text as Comparison, left, right, operator };
    }
    if (
      this.#is('not') &&
      this.list[this.#at + 1]?.text === 'in' &&
      this.list[this.#at + 1]?.kind === 'mark'
    ) {
      this.#at++;
      return { kind: 'not', of: this.#in(left) };
    }
    return this.#is('in') ? this.#in(left) : { kind: 'test', operand: left };
  }

  #in(operand: Operand): Expression {
    const operator = this.#take();
    if (!this.#is('{')) this.#fail('A set in braces must follow `in`.', 'Write `in {1, 3..5}`.');
    const open = this.#take();
    const set: { from: Word; to?: Word }[] = [];
    do {
      const from = this.#word();
      set.push(this.#skip('..') ? { from, to: this.#word() } : { from });
    } while (this.#skip(','));
    if (!this.#skip('}')) this.#unclosed(open, '{', '}', 'Separate values with commas: `{1, 3..5}`.');
    return { kind: 'in', operand, set, operator };
  }

  #operand(): Operand {
    const word = this.#word();
    let { end } = word;
    const operand: Operand = { kind: 'operand', word, at: word.at, end };
    if (this.#next.kind === 'slice') {
      ({ end } = this.#next);
      operand.slices = slices(this.#take());
    }
    if (this.#skip('&')) {
      operand.mask = this.#word();
      ({ end } = operand.mask);
    }
    operand.end = end;
    return operand;
  }

  #word(): Word {
    const { kind, text, at, end } = this.#next;
    if (kind !== 'word' && kind !== 'string') {
      if (kind === 'end') this.#fail('The filter ends too early.', 'Add a field or a value.');
      this.#fail(
        `A field or a value is expected here, not ${this.#named()}.`,
        'Add one before it, or remove it.',
      );
    }
    this.#at++;
    if (kind === 'word' && this.#is('('))
      this.#fail(`The function \`${text}\` is not supported here.`, 'Compare a field: `data.len > 100`.', {
        at,
        end,
      });
    return { kind: 'word', text, quoted: kind === 'string', at, end };
  }

  #named(): string {
    const { kind, text } = this.#next;
    const marks: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!' };
    if (kind === 'string') return `The text \`"${text}"\``;
    return `\`${kind === 'slice' ? `[${text}]` : kind === 'mark' ? (marks[text] ?? text) : text}\``;
  }

  finish(): void {
    const { kind } = this.#next;
    if (kind === 'end') return;
    if (this.#is(')')) this.#fail('This `)` has no matching `(`.', 'Remove it, or add `(`.');
    this.#fail(
      `${this.#named()} is not expected here.`,
      kind === 'word' ? 'Join tests with `&&` or `||`, and put text with spaces in quotes.' : 'Remove it.',
    );
  }
}

/** `0:4`, `2-5`, `3`, `:4`, `2:`, and lists of them. */
function slices({ text, at, end }: Token): Slice[] {
  return text.split(',').map((part) => {
    const m = /^\s*(-?\d{1,9})?\s*(?:([:-])\s*(\d{1,9})?)?\s*$/.exec(part);
    const [, first, way, last] = m ?? [];
    const wrong = (): never => {
      throw new FilterError(
        `\`[${text}]\` is not a range of bytes.`,
        'Write `[0:4]` for offset and length, `[2-5]` for first and last, or `[3]`.',
        at,
        end,
      );
    };
    if (first === undefined && (way !== ':' || last === undefined)) return wrong();
    const offset = Number(first ?? 0);
    if (way === undefined) return { offset, length: 1 };
    if (last === undefined) return way === ':' ? { offset, length: undefined } : wrong();
    const length = way === ':' ? Number(last) : Number(last) - offset + 1;
    return length < 1 || (way === '-' && offset < 0) ? wrong() : { offset, length };
  });
}
