/** Edits of named fields as text, `bth.psn=+1; reth.rkey=0`, for forms and the command line. */

/** A field that an edit may name. */
export interface EditableField {
  name: string;
  label: string;
  /** Meaning, in one or two sentences. */
  text: string;
  /** Largest value, in decimal. */
  max: string;
  /** Number of hexadecimal digits; absent: decimal. */
  hex?: number;
}

/** Fields that belong together, such as those of a header. */
export interface FieldGroup {
  title: string;
  fields: EditableField[];
}

/** Options of a text parameter with field edits (`.meta({ fieldEdits })`). */
export interface FieldEdits {
  /** Parameter whose value selects the fields. */
  of: string;
  groups: Record<string, FieldGroup[]>;
  /** Titles of the parameter's values. */
  titles: Readonly<Record<string, string>>;
}

export interface FieldEdit {
  /** Name of the field, as the field has it. */
  name: string;
  how: 'set' | 'add' | 'subtract' | 'flip';
  value: bigint;
}

/** An invalid edit, explained in sentences. */
export class BadEdit extends Error {}

/** Most fields that may be edited at once. */
export const MOST_EDITS = 32;

const HOW = { '': 'set', '+': 'add', '-': 'subtract', '^': 'flip' } as const;
const FORM = /^([a-z0-9.]+)\s*=\s*([+^-]?)\s*(0x[0-9a-f]{1,16}|\d{1,20})$/i;

/** A value as in tables: `0x1234`, `17`. */
export const fieldText = ({ hex }: Pick<EditableField, 'hex'>, value: bigint): string =>
  hex === undefined ? String(value) : `0x${value.toString(16).padStart(hex, '0')}`;

/** Range of a field: `0 to 15`. */
export const fieldRange = (field: Pick<EditableField, 'hex' | 'max'>): string =>
  `${fieldText(field, 0n)} to ${fieldText(field, BigInt(field.max))}`;

/** Splits a text into single edits. */
export const editParts = (text: string): string[] =>
  text
    .split(/[;,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** @param of owner of the fields, such as “WRITE” @throws BadEdit */
export function parseFieldEdits(
  text: string,
  fields: readonly Pick<EditableField, 'name' | 'hex' | 'max'>[],
  of: string,
): FieldEdit[] {
  const parts = editParts(text);
  if (parts.length > MOST_EDITS)
    throw new BadEdit(`${parts.length} edits are too many. The limit is ${MOST_EDITS}.`);
  return parts.map((part): FieldEdit => {
    const form = FORM.exec(part);
    if (!form)
      throw new BadEdit(
        `“${part}” is not an edit. Write field=value, field=+number, field=-number or field=^bits, as in bth.psn=+1.`,
      );
    const [, name = '', sign = '', digits = ''] = form;
    const field = fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!field)
      throw new BadEdit(`A ${of} has no field ${name}. It has ${fields.map((one) => one.name).join(', ')}.`);
    const value = BigInt(digits);
    if (value > BigInt(field.max))
      throw new BadEdit(`${field.name} takes ${fieldRange(field)}, not ${digits}.`);
    return { name: field.name, how: HOW[sign as keyof typeof HOW], value };
  });
}

/** The value of a field after an edit, modulo the size of the field. */
export function editedValue({ how, value }: FieldEdit, before: bigint, max: bigint): bigint {
  const size = max + 1n;
  switch (how) {
    case 'set':
      return value % size;
    case 'add':
      return (before + value) % size;
    case 'subtract':
      return (before - value + size) % size;
    case 'flip':
      return (before ^ value) % size;
  }
}
