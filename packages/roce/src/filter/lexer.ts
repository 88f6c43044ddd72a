import { FilterError } from './error.js';

/** The operators of comparison, in Wireshark's order of names. */
export const COMPARISONS = ['==', '!=', '===', '!==', '>', '<', '>=', '<=', 'contains'] as const;
export type Comparison = (typeof COMPARISONS)[number];

type Mark = 'and' | 'or' | 'not' | 'in' | '&' | '(' | ')' | '{' | '}' | ',' | '..';

export interface Token {
  kind: 'word' | 'string' | 'slice' | 'comparison' | 'mark' | 'end';
  /** The word, the content of the string, the text between the brackets, or the operator in its first spelling. */
  text: string;
  at: number;
  end: number;
}

/** Spellings of the operators; Wireshark takes the words in lower case only. */
const OPERATORS = new Map<string, Comparison | Mark>([
  ['==', '=='],
  ['eq', '=='],
  ['any_eq', '=='],
  ['!=', '!='],
  ['ne', '!='],
  ['all_ne', '!='],
  ['===', '==='],
  ['all_eq', '==='],
  ['!==', '!=='],
  ['~=', '!=='],
  ['any_ne', '!=='],
  ['>', '>'],
  ['gt', '>'],
  ['<', '<'],
  ['lt', '<'],
  ['>=', '>='],
  ['ge', '>='],
  ['<=', '<='],
  ['le', '<='],
  ['contains', 'contains'],
  ['in', 'in'],
  ['&&', 'and'],
  ['and', 'and'],
  ['||', 'or'],
  ['or', 'or'],
  ['!', 'not'],
  ['not', 'not'],
  ['&', '&'],
  ['bitand', '&'],
  ['bitwise_and', '&'],
  ['(', '('],
  [')', ')'],
  ['{', '{'],
  ['}', '}'],
  [',', ','],
  ['..', '..'],
]);

/** Operators that are not in Wireshark's language, or that are left out here. */
const MISTAKES: Readonly<Record<string, [what: string, cure: string]>> = {
  '=': ['`=` is not an operator.', 'Write `==` to compare.'],
  '|': ['`|` is not an operator.', 'Write `||` for “or”.'],
  '<>': ['`<>` is not an operator.', 'Write `!=`.'],
  '=<': ['`=<` is not an operator.', 'Write `<=`.'],
  '=>': ['`=>` is not an operator.', 'Write `>=`.'],
  '~': ['`~` is not supported here.', 'Use `contains` to search for bytes or text.'],
  matches: [
    '`matches` is not supported here: a regular expression can take very long on some packets.',
    'Use `contains` to search for bytes or text.',
  ],
  xor: ['`xor` is not supported here.', 'Write `(a && !b) || (!a && b)`.'],
  '^^': ['`^^` is not supported here.', 'Write `(a && !b) || (!a && b)`.'],
};

const COMPARES: ReadonlySet<string> = new Set(COMPARISONS);
const WORD = /(?:[A-Za-z0-9_:/-]|\.(?!\.))+/y;
const SYMBOL = /===|!==|\.\.|\^\^|<>|=<|=>|[=!><~]=|&&|\|\||[!<>&(){},=|~]/y;

/** The tokens of a filter, an `end` last. */
export function tokens(text: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  const token = (kind: Token['kind'], value: string, end: number) => {
    out.push({ kind, text: value, at, end });
    at = end;
  };
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    if (at >= text.length) break;
    const c = text[at]!;
    if (c === '"' || c === "'") {
      const { value, end } = quoted(text, at);
      token('string', value, end);
      continue;
    }
    if (c === '[') {
      const close = text.indexOf(']', at);
      if (close < 0) throw new FilterError('This `[` is not closed.', 'Add `]`.', at, text.length);
      token('slice', text.slice(at + 1, close), close + 1);
      continue;
    }
    const found = match(WORD, text, at) ?? match(SYMBOL, text, at);
    if (found === null) throw unexpected(text, at);
    const mistake = Object.hasOwn(MISTAKES, found) ? MISTAKES[found] : undefined;
    if (mistake) throw new FilterError(...mistake, at, at + found.length);
    const operator = OPERATORS.get(found);
    if (operator === undefined) token('word', found, at + found.length);
    else token(COMPARES.has(operator) ? 'comparison' : 'mark', operator, at + found.length);
  }
  token('end', '', text.length);
  return out;
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function unexpected(text: string, at: number): FilterError {
  const c = String.fromCodePoint(text.codePointAt(at)!);
  const cure =
    c === '“' || c === '”' || c === '’'
      ? 'Use straight quotes: `"text"`.'
      : c === '#' || c === '@'
        ? `\`${c}\` of Wireshark is not supported here. Remove it.`
        : 'Remove it, or put text in quotes: `"text"`.';
  return new FilterError(`\`${c}\` has no meaning here.`, cure, at, at + c.length);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

function quoted(text: string, at: number): { value: string; end: number } {
  const quote = text[at]!;
  let value = '';
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i]!;
    if (c === quote) return { value, end: i + 1 };
    if (c !== '\\') {
      value += c;
      continue;
    }
    const next = text[++i];
    if (next === undefined) break;
    const code = next === 'x' ? /^[0-9a-f]{2}/i.exec(text.slice(i + 1, i + 3)) : null;
    if (code) {
      value += String.fromCharCode(parseInt(code[0], 16));
      i += 2;
    } else value += ESCAPES[next] ?? next;
  }
  throw new FilterError('This quote is not closed.', `Add \`${quote}\` at its end.`, at, text.length);
}
