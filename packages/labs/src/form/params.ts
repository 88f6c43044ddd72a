import {
  AppError,
  brokenRules,
  parseQuantity,
  type LimitedDevice,
  type ParamRule,
  type ParamValues,
} from '@verbslab/protocol';
import type { z } from 'zod';
import { formatBytes, formatExact, formatNumber, unitBeside } from '../base/format.js';

/** The part of a property's JSON Schema that messages are made from. */
export interface PropertySchema {
  type?: string;
  title?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  unit?: string;
}

function exactBytes(value: number): string {
  const text = formatBytes(value);
  return parseQuantity(text.replaceAll(',', ''), 'B') === value ? text : `${formatNumber(value)} B`;
}

/** A chosen parameter as text, with its unit. */
export function shown(value: number, unit: string | undefined): string {
  if (unit === 'B') return exactBytes(value);
  const exact = formatExact(value);
  return unit ? `${exact} ${unitBeside(exact, unit)}` : exact;
}

function range(schema: PropertySchema): string {
  const { minimum, maximum, unit } = schema;
  if (minimum !== undefined && maximum !== undefined)
    return `from ${unit === 'B' ? exactBytes(minimum) : formatExact(minimum)} to ${shown(maximum, unit)}`;
  if (minimum !== undefined) return `of ${shown(minimum, unit)} or more`;
  return maximum === undefined ? '' : `of ${shown(maximum, unit)} or less`;
}

function hint(schema: PropertySchema): string {
  const preset = schema.default === undefined ? '' : `; the default is ${defaultText(schema)}`;
  if (schema.enum) return `Choose one of: ${schema.enum.join(', ')}${preset}.`;
  if (schema.type === 'boolean') return `Give true or false${preset}.`;
  const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
  return `Give ${kind} ${range(schema)}`.trimEnd() + `${preset}.`;
}

function defaultText(schema: PropertySchema): string {
  return typeof schema.default === 'number' ? shown(schema.default, schema.unit) : String(schema.default);
}

/** The fault of `value`, as the end of a sentence. */
function complaint(schema: PropertySchema, value: unknown): string {
  const given = typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
  if (schema.enum) return `${given} is not one of its values`;
  if (schema.type === 'boolean') return `it must be true or false, not ${given}`;
  if (typeof value !== 'number' || Number.isNaN(value)) return `it must be a number, not ${given}`;
  const { minimum, maximum, unit } = schema;
  if (minimum !== undefined && value < minimum)
    return `${shown(value, unit)} is below the minimum of ${shown(minimum, unit)}`;
  if (maximum !== undefined && value > maximum)
    return `${shown(value, unit)} is above the maximum of ${shown(maximum, unit)}`;
  if (schema.type === 'integer' && !Number.isInteger(value)) return `it must be a whole number, not ${given}`;
  return `${given} is not a valid value`;
}

export function parseParams<S extends z.ZodObject>(
  lab: string,
  schema: S,
  properties: Readonly<Record<string, PropertySchema>>,
  input: Readonly<Record<string, unknown>>,
): z.output<S> {
  const names = Object.keys(properties);
  const prepared: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property)
      throw new AppError('UNKNOWN_PARAM', { lab, param: name, known: names.join(', ') || 'none' });
    const numeric = property.type === 'integer' || property.type === 'number';
    // Values that are no quantities are passed through for the schema to reject.
    if (numeric && typeof value === 'string') prepared[name] = parseQuantity(value, property.unit) ?? value;
    else if (property.type === 'boolean' && (value === 'true' || value === 'false'))
      prepared[name] = value === 'true';
    else prepared[name] = value;
  }
  const parsed = schema.safeParse(prepared);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? '');
  const property = properties[name] ?? {};
  // A parameter with a text format of its own explains the fault itself.
  if (issue?.code === 'custom')
    throw new AppError('BAD_PARAM', { param: name, detail: issue.message, hint: '' });
  throw new AppError('BAD_PARAM', {
    param: name,
    detail: complaint(property, prepared[name]),
    hint: hint(property),
  });
}

/** Throws AppError BAD_PARAM for the first parameter that breaks a rule of the lab. */
export function checkRules(
  rules: readonly ParamRule[],
  properties: Readonly<Record<string, PropertySchema>>,
  values: ParamValues,
  devices: readonly LimitedDevice[],
): void {
  const [broken] = brokenRules(rules, values, devices, {
    say: (param, value) => shown(value, properties[param]?.unit),
    title: (param) => properties[param]?.title ?? param,
  });
  if (broken) throw new AppError('BAD_PARAM', { ...broken });
}
