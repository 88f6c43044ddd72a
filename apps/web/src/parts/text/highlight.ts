/** Colors of a program: its comments, strings and keywords. Everything else is plain. */
import type { CodeLanguage } from '@verbslab/labs';

export interface Piece {
  kind: 'plain' | 'comment' | 'string' | 'keyword';
  text: string;
}

const words = (list: string): string => `\\b(?:${list.trim().split(/\s+/).join('|')})\\b`;

const SLASH_COMMENT = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;

const SYNTAX: Record<CodeLanguage, { comment: string; string: string; keyword: string }> = {
  C: {
    comment: SLASH_COMMENT,
    string: QUOTED,
    keyword: `^#\\w+|${words(`
      break case char const continue do double else enum for if inline int return sizeof size_t static struct switch
      uint32_t uint64_t uintptr_t union unsigned void while`)}`,
  },
  Python: {
    comment: String.raw`#[^\n]*|"""[^]*?"""`,
    string: `[bf]?(?:${QUOTED})`,
    keyword: words(`
      and assert class def elif else for from if import in is not or raise return self while True False None`),
  },
  TypeScript: {
    comment: SLASH_COMMENT,
    string: `${QUOTED}|\`(?:\\\\.|[^\`\\\\])*\``,
    keyword: words(`
      as async await catch const else for from function if import instanceof let new of return throw try using`),
  },
};

/** The pieces of each line. Joined, they are the text again. */
export function highlight(text: string, language: CodeLanguage): Piece[][] {
  const { comment, string, keyword } = SYNTAX[language];
  const pattern = new RegExp(`(?<comment>${comment})|(?<string>${string})|(?<keyword>${keyword})`, 'gm');
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const groups = match.groups ?? {};
    const kind =
      groups['comment'] !== undefined ? 'comment' : groups['string'] !== undefined ? 'string' : 'keyword';
    pieces.push({ kind: 'plain', text: text.slice(end, match.index) }, { kind, text: match[0] });
    end = match.index + match[0].length;
  }
  pieces.push({ kind: 'plain', text: text.slice(end) });
  return linesOf(pieces);
}

function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const { kind, text } of pieces)
    text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    });
  return lines;
}
