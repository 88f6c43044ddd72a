import type { Comparison } from './lexer.js';

/** Characters of the filter text, from `at` to before `end`. */
export interface Span {
  at: number;
  end: number;
}

/** A field, a protocol or a value, depending on what it is compared with. */
export interface Word extends Span {
  kind: 'word';
  text: string;
  quoted: boolean;
}

/** Bytes of a field: `[0:4]`. An undefined length goes to the end. */
export interface Slice {
  offset: number;
  length: number | undefined;
}

export interface Operand extends Span {
  kind: 'operand';
  word: Word;
  slices?: Slice[];
  /** Bits of the operand: `& 0x1f`. */
  mask?: Word;
}

export type Expression =
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'test'; operand: Operand }
  | { kind: 'compare'; op: Comparison; left: Operand; right: Operand; operator: Span }
  | { kind: 'in'; operand: Operand; set: { from: Word; to?: Word }[]; operator: Span };
