import type { Operand, Slice } from './ast.js';
import { FilterError } from './error.js';
import { filterField } from './fields.js';
import type { Visit } from './fields.js';
import { literalOf } from './literals.js';
import type { Wanted } from './literals.js';
import { notAField } from './unknown.js';

export interface Left extends Wanted {
  visit: Visit;
  masked: boolean;
}

/** The field that an operand names, with its slice and mask applied. */
export function operandOf({ word, slices, mask, at, end }: Operand): Left {
  const field = word.quoted ? undefined : filterField(word.text);
  if (!field) throw notAField(word);
  const { type, max, values } = field;
  let left: Left = {
    name: field.name,
    type,
    max,
    visit: field.visit,
    masked: false,
    ...(values ? { values } : {}),
  };
  if (slices) {
    if (type === 'uint' || type === 'uint64' || type === 'bool' || type === 'time' || type === 'string')
      throw new FilterError(
        `\`${field.name}\` is not a byte string, so \`[…]\` cannot be used.`,
        'Take bytes of its header instead: `infiniband.bth[0:4]`.',
        at,
        end,
      );
    left = { name: field.name, type: 'bytes', max, visit: sliced(field.visit, slices), masked: false };
  }
  if (!mask) return left;
  if (left.type !== 'uint' && left.type !== 'uint64' && left.type !== 'bool')
    throw new FilterError(
      `\`${field.name}\` is not a number, so \`&\` cannot be used.`,
      'Compare it with `==`, or take its bytes with `[0:4]`.',
      at,
      end,
    );
  const bits = literalOf(mask, { ...left, type: left.type === 'bool' ? 'uint' : left.type }).value;
  const { visit } = left;
  return {
    name: left.name,
    type: left.type === 'bool' ? 'uint' : left.type,
    max: left.max,
    masked: true,
    visit:
      typeof bits === 'bigint'
        ? (view, see) => visit(view, (v) => see((v as bigint) & bits))
        : (view, see) => visit(view, (v) => see(((v as number) & (bits as number)) >>> 0)),
  };
}

/** Bytes of a value; none if the value does not have all of them. */
function sliced(visit: Visit, slices: readonly Slice[]): Visit {
  return (view, see) =>
    visit(view, (value) => {
      const bytes = value as Uint8Array;
      const parts: Uint8Array[] = [];
      for (const { offset, length } of slices) {
        const from = offset < 0 ? bytes.length + offset : offset;
        const to = length === undefined ? bytes.length : from + length;
        if (from < 0 || to > bytes.length || from >= to) return false;
        parts.push(bytes.subarray(from, to));
      }
      return see(parts.length === 1 ? parts[0]! : joined(parts));
    });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
