import { filterField, filterFields } from './fields.js';
import type { FilterField, FilterType } from './fields.js';
import { tokens } from './lexer.js';
import type { Token } from './lexer.js';

export interface Candidate {
  /** Text that the candidate puts into the filter. */
  text: string;
  kind: 'field' | 'operator' | 'value';
  /** Meaning in a few words. */
  label: string;
}

/** Candidates for the characters from `from` to `to` of a filter. */
export interface Completion {
  from: number;
  to: number;
  candidates: Candidate[];
}

const MOST = 50;
const WORD = /[A-Za-z0-9_.:/-]/;

/** Offered first where nothing is typed yet. */
const COMMON = [
  'infiniband.bth.opcode',
  'infiniband.bth.destqp',
  'infiniband.bth.psn',
  'infiniband.aeth',
  'infiniband.aeth.syndrome.opcode',
  'infiniband.reth',
  'infiniband.mad',
  'vl.retransmission',
  'vl.nak',
  'ip.addr',
  'ip.src',
  'ip.dst',
  'udp.port',
  'frame.number',
  'frame.len',
];

/** Completes the word at the caret. Never throws: no candidates if the text before the caret makes no sense. */
export function completeFilter(text: string, caret: number): Completion {
  let from = caret;
  while (from > 0 && WORD.test(text[from - 1]!)) from--;
  let to = caret;
  while (to < text.length && WORD.test(text[to]!)) to++;
  const typed = text.slice(from, caret);
  let before: Token[];
  try {
    before = tokens(text.slice(0, from)).slice(0, -1);
  } catch {
    return { from, to, candidates: [] };
  }
  const found = candidates(before, typed).slice(0, MOST);
  // A complete word needs no list.
  const only = found.length === 1 && found[0]!.text === text.slice(from, to);
  return { from, to, candidates: only ? [] : found };
}

function candidates(before: readonly Token[], typed: string): Candidate[] {
  const last = before.at(-1);
  const mark = last?.kind === 'mark' ? last.text : undefined;
  if (!last || mark === 'and' || mark === 'or' || mark === 'not' || mark === '(') return fields(typed);
  if (last.kind === 'comparison') return values(subjectOf(before.slice(0, -1)), typed);
  if (mark === '{' || mark === ',' || mark === '..') {
    const start = before.findLastIndex((t) => t.kind === 'mark' && t.text === 'in');
    return start < 0 ? [] : values(subjectOf(before.slice(0, start)), typed);
  }
  if (mark === 'in') return starting([{ text: '{', kind: 'operator', label: 'a set of values' }], typed);
  if (mark === ')' || mark === '}') return starting(JOINING, typed);
  if (mark === '&') return [];
  return afterOperand(before, typed);
}

/** Candidates after an operand: operators after a field, joining operators after a value. */
function afterOperand(before: readonly Token[], typed: string): Candidate[] {
  let start = before.length - 1;
  if (before[start]!.kind === 'slice') start--;
  const ahead = before[start - 1];
  const set = before.findLastIndex((t) => t.kind === 'mark' && (t.text === '{' || t.text === '}'));
  if (set >= 0 && before[set]!.text === '{') return [];
  if (ahead?.kind === 'comparison') return starting(JOINING, typed);
  const masked = ahead?.kind === 'mark' && ahead.text === '&';
  const field = masked ? subjectOf(before) : filterField(before[start]?.text ?? '');
  if (!field) return [];
  const type = before.at(-1)!.kind === 'slice' ? 'bytes' : field.type;
  return starting([...COMPARING.filter((o) => o.types?.includes(type) ?? true), ...JOINING], typed);
}

/** The field at the end of some tokens, without its slice and mask. */
function subjectOf(before: readonly Token[]): FilterField | undefined {
  let at = before.length - 1;
  const notIn = before[at];
  if (notIn?.kind === 'mark' && notIn.text === 'not') at--;
  if (before[at - 1]?.kind === 'mark' && before[at - 1]!.text === '&') at -= 2;
  if (before[at]?.kind === 'slice') return undefined;
  const token = before[at];
  return token?.kind === 'word' ? filterField(token.text) : undefined;
}

const ORDERED: readonly FilterType[] = ['uint', 'uint64', 'time', 'ipv4', 'ipv6', 'ether', 'bytes'];

const COMPARING: readonly (Candidate & { types?: readonly FilterType[] })[] = [
  { text: '==', kind: 'operator', label: 'is equal' },
  { text: '!=', kind: 'operator', label: 'is there and not equal' },
  { text: '>', kind: 'operator', label: 'is greater', types: ORDERED },
  { text: '<', kind: 'operator', label: 'is less', types: ORDERED },
  { text: '>=', kind: 'operator', label: 'is greater or equal', types: ORDERED },
  { text: '<=', kind: 'operator', label: 'is less or equal', types: ORDERED },
  { text: 'in', kind: 'operator', label: 'is one of a set: in {1, 3..5}' },
  {
    text: 'contains',
    kind: 'operator',
    label: 'has these bytes or this text in it',
    types: ['bytes', 'protocol', 'ether', 'string'],
  },
  { text: '&', kind: 'operator', label: 'has one of these bits', types: ['uint', 'uint64'] },
];
const JOINING: readonly Candidate[] = [
  { text: '&&', kind: 'operator', label: 'and' },
  { text: '||', kind: 'operator', label: 'or' },
];

const starting = (list: readonly Candidate[], typed: string): Candidate[] =>
  list
    .filter(
      (c) => c.text.startsWith(typed) || (typed !== '' && JOINING.includes(c) && c.label.startsWith(typed)),
    )
    .map(({ text, kind, label }) => ({ text, kind, label }));

/** Rank of a field for the typed text, 0 for the best; null if the field does not match. */
function rank(field: FilterField, typed: string): number | null {
  const { name } = field;
  if (name.startsWith(typed)) return 0;
  if (name.includes(`.${typed}`)) return 1;
  if (name.includes(typed)) return 2;
  return field.label.toLowerCase().includes(typed) ? 3 : null;
}

function fields(typed: string): Candidate[] {
  const wanted = typed.toLowerCase();
  const ranked: { field: FilterField; by: number }[] = [];
  for (const field of filterFields().values()) {
    const by = rank(field, wanted);
    if (by === null) continue;
    const common = COMMON.indexOf(field.name);
    const reserved = field.name.includes('reserved') ? 1 : 0;
    ranked.push({ field, by: by * 1000 + (common < 0 ? COMMON.length + reserved : common) });
  }
  return ranked
    .sort((a, b) => a.by - b.by)
    .map(({ field }) => ({ text: field.name, kind: 'field', label: field.label }));
}

function values(field: FilterField | undefined, typed: string): Candidate[] {
  if (!field) return [];
  const wanted = typed.toLowerCase();
  const named: [string, string][] =
    field.type === 'bool'
      ? [
          ['1', 'set'],
          ['0', 'not set'],
        ]
      : [...(field.values ?? [])].map(([value, name]) => [String(value), name]);
  return named
    .filter(([value, name]) => value.startsWith(wanted) || name.toLowerCase().includes(wanted))
    .map(([text, label]) => ({ text, kind: 'value', label }));
}
