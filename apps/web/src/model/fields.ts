import { choiceText, unitBeside } from '@verbslab/labs';
import { parseQuantity, type FieldEdits, type LabDescription } from '@verbslab/protocol';
import { bytes, count, text } from '../format/number';

/** A parameter of a lab as a form field, from the lab's JSON Schema. */
export interface Field {
  name: string;
  title: string;
  description: string;
  kind: 'integer' | 'number' | 'choice' | 'switch' | 'text';
  unit?: string;
  /** Command-line option of a program that the field sets. */
  flag?: string;
  minimum?: number;
  maximum?: number;
  /** Name of the device whose limit is `maximum`. */
  limitedBy?: string;
  choices?: string[];
  /** Titles of choices; a choice without a title shows its value. */
  choiceTitles?: Readonly<Record<string, string>>;
  /** Fields whose edits the text lists; they can be chosen one by one. */
  fieldEdits?: FieldEdits;
  preset: string | number | boolean | null;
}

/** Typed values, by field name. */
export type Draft = Readonly<Record<string, string | boolean>>;

export type Parameters = Record<string, string | number | boolean>;

interface Property {
  type?: string;
  enum?: unknown[];
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  unit?: string;
  choiceTitles?: Record<string, string>;
  fieldEdits?: FieldEdits;
}

/** JSON Schema expresses "any safe integer" as limits, which readers do not need. */
const meant = (n: number | undefined): n is number =>
  n !== undefined && Math.abs(n) < Number.MAX_SAFE_INTEGER;

function kindOf(p: Property): Field['kind'] {
  if (Array.isArray(p.enum)) return 'choice';
  if (p.type === 'integer' || p.type === 'number') return p.type;
  return p.type === 'boolean' ? 'switch' : 'text';
}

export function fieldsOf(params: LabDescription['params']): Field[] {
  const properties = (params.properties ?? {}) as Record<string, Property>;
  return Object.entries(properties).map(([name, p]) => ({
    name,
    title: p.title ?? name,
    description: p.description ?? '',
    kind: kindOf(p),
    ...(p.unit ? { unit: p.unit } : {}),
    ...(meant(p.minimum) ? { minimum: p.minimum } : {}),
    ...(meant(p.maximum) ? { maximum: p.maximum } : {}),
    ...(Array.isArray(p.enum) ? { choices: p.enum.map(String) } : {}),
    ...(p.choiceTitles ? { choiceTitles: p.choiceTitles } : {}),
    ...(p.fieldEdits ? { fieldEdits: p.fieldEdits } : {}),
    preset: ['string', 'number', 'boolean'].includes(typeof p.default)
      ? (p.default as Field['preset'])
      : null,
  }));
}

/** A value for a text field: 65536 bytes become "64 KiB" if nothing is lost. */
export function show(field: Field, value: unknown): string {
  if (typeof value !== 'number')
    return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : '';
  if (field.unit !== 'B') return String(value);
  const q = bytes(value);
  const shown = `${q.value.replaceAll(',', '')} ${q.unit}`;
  return parseQuantity(shown, 'B') === value ? shown : `${value} B`;
}

export function initialDraft(fields: readonly Field[], given: Readonly<Record<string, unknown>> = {}): Draft {
  return Object.fromEntries(
    fields.map((f) => {
      const value = Object.hasOwn(given, f.name) ? given[f.name] : f.preset;
      return [f.name, f.kind === 'switch' ? value === true : show(f, value)];
    }),
  );
}

/** A value with its unit. Bytes are exact: 10,000 B is not 9.77 KiB to a reader who counts packets. */
export function amount(field: Field, n: number): string {
  if (field.unit === 'B') {
    const shown = text(bytes(n));
    return parseQuantity(shown.replaceAll(/[,\u00a0]/g, ''), 'B') === n ? shown : `${count(n)}\u00a0B`;
  }
  const exact = n.toLocaleString('en-GB', { maximumSignificantDigits: 15 });
  return field.unit ? `${exact} ${unitBeside(exact, field.unit)}` : exact;
}

/** Lower end of a range. It shares the unit of the upper end, except for bytes, which have several units. */
const lower = (field: Field, n: number): string => (field.unit === 'B' ? amount(field, n) : count(n));

/** A range such as `from 64 B to 64 MiB`; empty without limits. */
export function range(field: Field): string {
  if (field.minimum !== undefined && field.maximum !== undefined)
    return `from ${lower(field, field.minimum)} to ${amount(field, field.maximum)}`;
  if (field.minimum !== undefined) return `of at least ${amount(field, field.minimum)}`;
  return field.maximum !== undefined ? `of at most ${amount(field, field.maximum)}` : '';
}

/** Allowed values in a phrase under the field: "64 B to 64 MiB". */
export function allowed(field: Field): string {
  if (field.minimum === undefined || field.maximum === undefined) return range(field);
  const limit = field.limitedBy === undefined ? '' : ` (the limit of ${field.limitedBy})`;
  return `${lower(field, field.minimum)} to ${amount(field, field.maximum)}${limit}`;
}

/** Text of a value, or of the list or range of values that a run of another version may have. */
export function valueText(field: Field, value: unknown): string {
  if (typeof value === 'number') return amount(field, value);
  if (typeof value === 'string') return field.kind === 'choice' ? choiceText(value, field) : value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => valueText(field, one)).join(' / ');
  const { min, max, from = min, to = max } = (value ?? {}) as Partial<Record<string, unknown>>;
  return from !== undefined && to !== undefined
    ? `${typeof from === 'number' ? lower(field, from) : valueText(field, from)} to ${valueText(field, to)}`
    : JSON.stringify(value);
}

/** Texts of parameters that this version of the lab does not have. They have no title, only a name. */
function unknownText(fields: readonly Field[], values: Readonly<Record<string, unknown>>): string[] {
  const known = new Set(fields.map(({ name }) => name));
  return Object.entries(values).flatMap(([name, value]) =>
    known.has(name) ? [] : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
}

/** A title within a line: `path MTU`. Abbreviations keep their capitals. */
const inLine = (title: string): string => title.replace(/\b[A-Z](?=[a-z])/g, (first) => first.toLowerCase());

/** Parameters in a line: only those that differ from the lab's defaults, or all of them. */
export function summary(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  all = false,
): string {
  const known = fields
    .filter((f) => values[f.name] !== undefined && (all || values[f.name] !== f.preset))
    .map((f) => `${inLine(f.title)} ${valueText(f, values[f.name])}`);
  return [...known, ...unknownText(fields, values)].join(', ');
}
