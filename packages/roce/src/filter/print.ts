import type { Expression, Operand, Slice, Word } from './ast.js';

/** A filter as text that parses to the same tree. */
export function printFilter(e: Expression | null): string {
  return e === null ? '' : print(e);
}

const RANK = { or: 1, and: 2 } as const;

function print(e: Expression): string {
  switch (e.kind) {
    case 'or':
    case 'and': {
      const inside = (side: Expression, least: number) => {
        const rank = side.kind === 'or' || side.kind === 'and' ? RANK[side.kind] : 3;
        return rank < least ? `(${print(side)})` : print(side);
      };
      const rank = RANK[e.kind];
      return `${inside(e.left, rank)} ${e.kind === 'or' ? '||' : '&&'} ${inside(e.right, rank + 1)}`;
    }
    case 'not':
      return e.of.kind === 'not' ? `!${print(e.of)}` : `!(${print(e.of)})`;
    case 'test':
      return operand(e.operand);
    case 'compare':
      return `${operand(e.left)} ${e.op} ${operand(e.right)}`;
    case 'in': {
      const set = e.set.map(({ from, to }) => (to ? `${word(from)}..${word(to)}` : word(from)));
      return `${operand(e.operand)} in {${set.join(', ')}}`;
    }
  }
}

function operand({ word: w, slices, mask }: Operand): string {
  const cut = slices ? `[${slices.map(slice).join(',')}]` : '';
  return `${word(w)}${cut}${mask ? ` & ${word(mask)}` : ''}`;
}

function slice({ offset, length }: Slice): string {
  return length === undefined ? `${offset}:` : `${offset}:${length}`;
}

function word({ text, quoted }: Word): string {
  return quoted ? quote(text) : text;
}

/** Text in quotes, as a filter has it. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
