/** Reads the form of a lab and checks it against the limits of the lab and its devices. */
import { boundOf, brokenRules, parseQuantity, type LimitedDevice, type ParamRule } from '@verbslab/protocol';
import { editFault } from './packet-edits';
import { amount, range, type Draft, type Field, type Parameters } from '../../model/fields';

export type Reading = { ok: true; value: string | number | boolean } | { ok: false; message: string };

/** Reads a field; a message says what is wrong and what is allowed. */
export function readField(field: Field, typed: string | boolean): Reading {
  if (field.kind === 'switch') return { ok: true, value: typed === true };
  const s = String(typed);
  if (field.kind === 'text') return { ok: true, value: s };
  if (field.kind === 'choice')
    return field.choices?.includes(s)
      ? { ok: true, value: s }
      : { ok: false, message: `Choose one of: ${(field.choices ?? []).join(', ')}.` };
  const wanted =
    `Enter ${field.kind === 'integer' ? 'a whole number' : 'a number'} ${range(field)}`.trim() + '.';
  if (s.trim() === '') return { ok: false, message: wanted };
  const n = parseQuantity(s, field.unit);
  if (n === null) {
    const hint =
      field.unit === 'B' ? ' Units: B, KiB, MiB, GiB.' : field.unit === 's' ? ' Units: s, ms, min.' : '';
    return { ok: false, message: `“${s.trim()}” is not a number. ${wanted}${hint}` };
  }
  if (field.kind === 'integer' && !Number.isInteger(n))
    return { ok: false, message: `${s.trim()} is not whole. ${wanted}` };
  if (field.minimum !== undefined && n < field.minimum)
    return { ok: false, message: `${amount(field, n)} is too small. ${wanted}` };
  if (field.maximum !== undefined && n > field.maximum)
    return { ok: false, message: `${amount(field, n)} is too large. ${wanted}` };
  return { ok: true, value: n };
}

export interface FormReading {
  values: Parameters;
  errors: Record<string, string>;
}

/** Fields with their ranges limited to these devices, according to the rules of the lab. */
export function boundFields(
  fields: readonly Field[],
  rules: readonly ParamRule[],
  draft: Draft,
  devices: readonly LimitedDevice[],
): Field[] {
  return fields.map((field) => {
    const bound = { ...field };
    for (const rule of rules) {
      if (rule.param !== field.name || !('device' in rule.of) || rule.bound !== 'at-most') continue;
      const limit = boundOf(rule, draft, devices);
      if (limit === null || limit.value >= (bound.maximum ?? Infinity)) continue;
      bound.maximum = limit.value;
      bound.limitedBy = limit.device ?? '';
    }
    return bound;
  });
}

export function readForm(
  fields: readonly Field[],
  draft: Draft,
  rules: readonly ParamRule[] = [],
): FormReading {
  const values: Parameters = {};
  const errors: Record<string, string> = {};
  for (const f of fields) {
    const r = readField(f, draft[f.name] ?? '');
    if (r.ok) values[f.name] = r.value;
    else errors[f.name] = r.message;
    const fault = f.fieldEdits ? editFault(f.fieldEdits, draft, String(draft[f.name] ?? '')) : null;
    if (fault !== null) errors[f.name] = fault;
  }
  // Limits of devices are already in the ranges of the fields.
  const broken = brokenRules(rules, values, [], {
    say: (param, value) => {
      const field = fields.find(({ name }) => name === param);
      return field ? amount(field, value) : String(value);
    },
    title: (param) => fields.find(({ name }) => name === param)?.title ?? param,
  });
  for (const { param, detail, hint } of broken) errors[param] ??= `${detail}. ${hint}`;
  return { values, errors };
}
