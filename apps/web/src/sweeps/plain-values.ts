/**
 * Values of a swept parameter as plain fields. The expression is the source of truth: fields are read from it and
 * written into it.
 */
import { choiceLabel, splitRange, type RangeParts } from '@verbslab/labs';
import { parseQuantity } from '@verbslab/protocol';
import { valueText, type Field } from '../model/fields';
import { readField } from '../parts/forms/form-reading';

/** Errors by field. */
export type RowErrors = Partial<Record<'from' | 'to' | 'by' | 'values', string>>;

/** Values of a numeric parameter: a range or a list. Other parameters always have a list. */
export type PlainValues = ({ kind: 'range' } & RangeParts) | { kind: 'list'; items: string[] };

export function plainOf(field: Field, expression: string): PlainValues {
  const range = isNumeric(field) ? splitRange(expression) : null;
  if (range) return { kind: 'range', ...range };
  const items = expression.split(',').map((one) => one.trim());
  return { kind: 'list', items: items.filter((one) => one !== '') };
}

export const isNumeric = ({ kind }: Field): boolean => kind === 'integer' || kind === 'number';

/** All values of a parameter, if they are names. */
export const namesOf = ({ kind, choices = [] }: Field): readonly string[] =>
  kind === 'switch' ? ['false', 'true'] : choices;

/** A name in the expression, in the format of forms. */
export const nameText = (field: Field, name: string): string =>
  field.kind === 'switch' ? valueText(field, name === 'true') : choiceLabel(name, field);

export const rangeText = ({ from, to, sign, by }: RangeParts): string =>
  `${from}..${to}${sign === '' ? '' : `${sign}${by}`}`;

/** Adds or removes a name. Names keep the order of the parameter. */
export function withName(field: Field, items: readonly string[], name: string, ticked: boolean): string {
  const wanted = new Set(items);
  if (ticked) wanted.add(name);
  else wanted.delete(name);
  return namesOf(field)
    .filter((one) => wanted.has(one))
    .join(',');
}

/** Reason why a value cannot be added to a list; null if it can. */
export function refusal(field: Field, items: readonly string[], typed: string): string | null {
  const reading = readField(field, typed);
  if (!reading.ok) return reading.message;
  const twice = items.some((one) => parseQuantity(one, field.unit) === reading.value);
  return twice ? `${typed.trim()} is in the list already. Enter another value.` : null;
}

/** Errors in the plain fields. Empty if only the expression as a whole is wrong. */
export function plainErrors(field: Field, plain: PlainValues): RowErrors {
  if (plain.kind === 'range') return rangeErrors(field, plain);
  if (plain.items.length === 0)
    return { values: isNumeric(field) ? 'Add at least one value.' : 'Choose at least one value.' };
  if (!isNumeric(field)) return {};
  for (const [at, item] of plain.items.entries()) {
    const wrong = refusal(field, plain.items.slice(0, at), item);
    if (wrong !== null) return { values: wrong };
  }
  return {};
}

function rangeErrors(field: Field, { from, to, sign, by }: RangeParts): RowErrors {
  const errors: RowErrors = {};
  const [start, end] = [readField(field, from), readField(field, to)];
  if (!start.ok) errors.from = start.message;
  else if (sign === '*' && Number(start.value) <= 0)
    errors.from = 'Multiplying needs a start above 0. Enter a larger start, or add an amount per step.';
  if (!end.ok) errors.to = end.message;
  else if (start.ok && start.value > end.value)
    errors.to = `The end is below the start. Enter ${from} or more.`;
  const step = parseQuantity(by, field.unit);
  if (sign === '+' && (step === null || step <= 0)) errors.by = 'Enter an amount above 0.';
  else if (sign !== '+' && (step === null || step <= 1)) errors.by = 'Enter a factor above 1, for example 2.';
  return errors;
}
