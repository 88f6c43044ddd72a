import type { Expression, Operand, Word } from './ast.js';
import { FilterError } from './error.js';
import { filterField } from './fields.js';
import type { FilterValue, Visit } from './fields.js';
import type { Comparison } from './lexer.js';
import { literalOf, wholeNumber } from './literals.js';
import type { Wanted } from './literals.js';
import { contains, equals, order } from './matching.js';
import type { Compare } from './matching.js';
import { operandOf } from './operand.js';
import type { Left } from './operand.js';
import { parseFilter } from './parser.js';
import { needsOf } from './needs.js';
import type { Needs } from './needs.js';
import { notAField } from './unknown.js';
import { PacketView } from './view.js';
import type { FilterPacket } from './view.js';

type Test = (view: PacketView) => boolean;

export interface Filter {
  readonly text: string;
  readonly needs: Needs;
  /** Returns true if a packet passes. */
  readonly matches: (packet: FilterPacket) => boolean;
}

/**
 * Compiles a display filter with Wireshark's syntax and meaning: a field that occurs several times matches if one of
 * its values does, and `!=` if none of them is equal. Throws only FilterErrors.
 */
export function compileFilter(text: string): Filter {
  const tree = parseFilter(text);
  const needs = needsOf(tree);
  if (tree === null) return { text, needs, matches: () => true };
  const test = compile(tree);
  const view = new PacketView();
  return {
    text,
    needs,
    matches: (packet) => {
      view.open(packet);
      return test(view);
    },
  };
}

function compile(e: Expression): Test {
  switch (e.kind) {
    case 'and': {
      const [left, right] = [compile(e.left), compile(e.right)];
      return (view) => left(view) && right(view);
    }
    case 'or': {
      const [left, right] = [compile(e.left), compile(e.right)];
      return (view) => left(view) || right(view);
    }
    case 'not': {
      const of = compile(e.of);
      return (view) => !of(view);
    }
    case 'test': {
      const { visit, masked } = operandOf(e.operand);
      const there: Compare = masked ? (v) => v !== 0 && v !== 0n : () => true;
      return (view) => visit(view, there);
    }
    case 'compare':
      return comparison(e);
    case 'in': {
      const left = operandOf(e.operand);
      const elements = e.set.map(({ from, to }) => {
        if (!to) return equals(literalOf(from, left));
        const [low, high] = [single(from, left), single(to, left)];
        return (v: FilterValue) => order(v, low) >= 0 && order(v, high) <= 0;
      });
      const any: Compare = (v) => elements.some((is) => is(v));
      return (view) => left.visit(view, any);
    }
  }
}

function comparison({ op, left, right }: Extract<Expression, { kind: 'compare' }>): Test {
  const field = right.word.quoted ? undefined : filterField(right.word.text);
  if (!filterField(left.word.text) && field) {
    if (left.word.quoted || wholeNumber(left.word.text) !== null)
      throw new FilterError(
        `\`${left.word.text}\` is a value, but a field is expected here.`,
        `Write the field first: \`${field.name} ${op} ${left.word.text}\`.`,
        left.at,
        left.end,
      );
  }
  const subject = operandOf(left);
  if (field) return betweenFields(op, subject, operandOf(right), right);
  if (right.slices || right.mask) throw notAField(right.word);
  return negatable(op, subject.visit, againstLiteral(op, right.word, subject));
}

/** Condition on a single value; for the two operators that mean “not equal”, the equality. */
function againstLiteral(op: Comparison, word: Word, left: Left): Compare {
  if (op === 'contains') {
    const { type } = left;
    if (type !== 'string' && type !== 'bytes' && type !== 'protocol' && type !== 'ether')
      throw new FilterError(
        `\`${left.name}\` is not a byte string or text, so \`contains\` cannot be used.`,
        'Compare it with `==`, or search all bytes: `frame contains 0a:ff`.',
        word.at,
        word.end,
      );
    return contains(literalOf(word, type === 'ether' ? { ...left, type: 'bytes' } : left).value);
  }
  if (op === '==' || op === '!=' || op === '===' || op === '!==') return equals(literalOf(word, left));
  const value = single(word, left);
  const holds = ORDERS[op];
  return (v) => holds(order(v, value));
}

/** Conditions on the order of two values, given as a number. */
const ORDERS: Readonly<Record<'>' | '<' | '>=' | '<=', (order: number) => boolean>> = {
  '>': (o) => o > 0,
  '<': (o) => o < 0,
  '>=': (o) => o >= 0,
  '<=': (o) => o <= 0,
};

/** Applies an operator to a field that may occur several times: any value, all values or none must match. */
function negatable(op: Comparison, visit: Visit, is: Compare): Test {
  const not: Compare = (v) => !is(v);
  const there: Compare = () => true;
  if (op === '!=') return (view) => visit(view, there) && !visit(view, is);
  if (op === '===') return (view) => visit(view, there) && !visit(view, not);
  return op === '!==' ? (view) => visit(view, not) : (view) => visit(view, is);
}

const NUMBERS: ReadonlySet<string> = new Set(['uint', 'uint64', 'bool']);
const BYTE_STRINGS: ReadonlySet<string> = new Set(['bytes', 'protocol', 'ether']);

function comparable(a: Wanted, b: Wanted): boolean {
  return (
    a.type === b.type ||
    (NUMBERS.has(a.type) && NUMBERS.has(b.type)) ||
    (BYTE_STRINGS.has(a.type) && BYTE_STRINGS.has(b.type))
  );
}

function betweenFields(op: Comparison, left: Left, right: Left, span: Operand): Test {
  if (!comparable(left, right) || (op === 'contains' && NUMBERS.has(left.type)))
    throw new FilterError(
      `\`${left.name}\` and \`${right.name}\` hold different kinds of values.`,
      'Compare fields of one kind: `ip.src == ip.dst`.',
      span.at,
      span.end,
    );
  const byOrder = op in ORDERS ? ORDERS[op as keyof typeof ORDERS] : (o: number) => o === 0;
  const holds: (a: FilterValue, b: FilterValue) => boolean =
    op === 'contains' ? (a, b) => contains(b)(a) : (a, b) => byOrder(order(a, b));
  // Each pair of values counts as one.
  const pairs =
    (see: (a: FilterValue, b: FilterValue) => boolean): Test =>
    (view) =>
      left.visit(view, (a) => right.visit(view, (b) => see(a, b)));
  const some = pairs(holds);
  const someNot = pairs((a, b) => !holds(a, b));
  const there = pairs(() => true);
  if (op === '!=') return (view) => there(view) && !some(view);
  if (op === '===') return (view) => there(view) && !someNot(view);
  return op === '!==' ? someNot : some;
}

/** A value without a prefix length. */
function single(word: Word, left: Left): FilterValue {
  const { value, prefix } = literalOf(word, left);
  if (prefix !== undefined)
    throw new FilterError(
      `\`${word.text}\` is a range of addresses, but a single address is expected here.`,
      'Use `==` with it, or leave out the prefix length.',
      word.at,
      word.end,
    );
  return value;
}
