/** Reads the values of a swept parameter: `4KiB..1MiB*2`, `1..9+2`, `poll,event`. */
import { AppError, MAX_SWEEP_RUNS, parseQuantity, type SweepAxis } from '@verbslab/protocol';
import { shown, type PropertySchema } from './params.js';

/** Steps of a range that are tried, values that occur twice included. */
const MAX_STEPS = 64 * MAX_SWEEP_RUNS;

export interface SweptParam extends SweepAxis {
  values: (number | string | boolean)[];
}

/** The parts of `from..to*by`, as they were written. `sign` is empty while the range has no factor and no step. */
export interface RangeParts {
  from: string;
  to: string;
  sign: '*' | '+' | '';
  by: string;
}

/** Splits a range; null where the text is none. Parts may be empty while a person types. */
export function splitRange(text: string): RangeParts | null {
  const parts = /^(.*?)\.\.(.*?)(?:([*+])(.*))?$/.exec(text.trim());
  if (!parts) return null;
  const [, from = '', to = '', sign = '', by = ''] = parts.map((part) => part?.trim());
  return { from, to, sign: sign as RangeParts['sign'], by };
}

const FORMS = 'Write a list (1,4,16), a range with a factor (4KiB..1MiB*2), or a range with a step (1..9+2).';

function boundsText({ minimum, maximum, unit }: PropertySchema): string {
  if (minimum === undefined || maximum === undefined) return '';
  return ` Values go from ${shown(minimum, unit)} to ${shown(maximum, unit)}.`;
}

/** `text` is `name=expression`. Throws AppError with the part that is wrong. */
export function readSweep(
  lab: string,
  text: string,
  properties: Readonly<Record<string, PropertySchema>>,
): SweptParam {
  const at = text.indexOf('=');
  if (at < 1) {
    const detail = `“${text}” does not name a parameter`;
    throw new AppError('USAGE', { detail, hint: 'Write name=values, for example depth=1..64*2.' });
  }
  const param = text.slice(0, at).trim();
  const property = Object.hasOwn(properties, param) ? properties[param] : undefined;
  if (!property) {
    const known = Object.keys(properties).join(', ') || 'none';
    throw new AppError('UNKNOWN_PARAM', { lab, param, known });
  }
  return { param, ...readValues(param, text.slice(at + 1).trim(), property) };
}

function readValues(param: string, text: string, property: PropertySchema): Omit<SweptParam, 'param'> {
  const fail = (detail: string, hint = FORMS + boundsText(property)): never => {
    throw new AppError('BAD_PARAM', { param, detail, hint });
  };
  if (property.enum) {
    const choices = property.enum;
    const hint = `Choose among: ${choices.join(', ')}.`;
    const values = text.split(',').map((part) => part.trim());
    for (const one of values)
      if (!choices.includes(one)) fail(`“${one}” in “${text}” is not one of its values`, hint);
    return { scale: 'list', values: distinct(values, fail) };
  }
  if (property.type === 'boolean') {
    const values = text.split(',').map((part) => {
      if (part.trim() !== 'true' && part.trim() !== 'false')
        fail(`“${part}” in “${text}” is not true or false`, 'Write true,false.');
      return part.trim() === 'true';
    });
    return { scale: 'list', values: distinct(values, fail) };
  }
  if (property.type !== 'integer' && property.type !== 'number')
    fail('it is not a number or a choice, so it cannot be swept', 'Choose another parameter.');
  const number = (part: string): number => {
    const value = parseQuantity(part, property.unit);
    if (value === null) return fail(`“${part}” in “${text}” is not a number`);
    const { minimum = -Infinity, maximum = Infinity } = property;
    if (value < minimum || value > maximum) fail(`“${part}” in “${text}” is out of range`);
    if (property.type === 'integer' && !Number.isInteger(value))
      fail(`“${part}” in “${text}” is not a whole number`);
    return value;
  };
  const range = splitRange(text);
  if (!range) {
    const values = text.split(',').map((part) => number(part.trim()));
    return { scale: 'list', values: distinct(values, fail) };
  }
  const { sign } = range;
  if (sign === '') return fail(`“${text}” has no factor or step`);
  const [from, to] = [number(range.from), number(range.to)];
  const by = parseQuantity(range.by, property.unit);
  if (from > to) fail(`“${range.from}..${range.to}” starts above its end`);
  if (by === null) return fail(`“${range.by}” in “${text}” is not a number`);
  if (sign === '*' && (by <= 1 || from <= 0))
    fail(`“${sign}${range.by}” needs a factor above 1 and a start above 0`);
  if (sign === '+' && by <= 0) fail(`“${sign}${range.by}” needs a step above 0`);
  const values: number[] = [];
  for (let index = 0; ; index++) {
    // Steps that round to the value before give no run, and so no end.
    if (index > MAX_STEPS) fail(`“${sign}${range.by}” is too small a step from ${range.from} to ${range.to}`);
    const exact = sign === '*' ? from * by ** index : from + by * index;
    if (exact > to * (1 + 1e-9)) break;
    const value = property.type === 'integer' ? Math.round(exact) : Math.min(to, exact);
    if (value !== values.at(-1)) values.push(value);
    if (values.length > MAX_SWEEP_RUNS)
      throw new AppError('LIMIT', {
        what: `Too many values of “${param}” in “${text}”`,
        value: `more than ${MAX_SWEEP_RUNS}`,
        limit: MAX_SWEEP_RUNS,
      });
  }
  return { scale: sign === '*' ? 'log' : 'linear', values };
}

function distinct<T>(values: T[], fail: (detail: string) => never): T[] {
  const twice = values.find((one, index) => values.indexOf(one) !== index);
  if (twice !== undefined) fail(`“${String(twice)}” occurs twice`);
  return values;
}

/** Every combination, the last parameter changing fastest. */
export function sweepGrid(params: readonly SweptParam[]): Record<string, number | string | boolean>[] {
  return params.reduce<Record<string, number | string | boolean>[]>(
    (points, { param, values }) =>
      points.flatMap((point) => values.map((value) => ({ ...point, [param]: value }))),
    [{}],
  );
}
