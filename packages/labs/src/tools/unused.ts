/** Fields of a tool that its command lines do not depend on, such as a duration where messages are counted. */
import type { Tool } from './tool.js';

type Values = Readonly<Record<string, unknown>>;

interface Property {
  type?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
}

const PLACE = { address: '127.0.0.1' };

/** Another allowed value. */
function otherThan({ type, enum: choices, minimum, maximum }: Property, value: unknown): unknown {
  if (choices) return choices.find((choice) => choice !== value);
  if (type === 'boolean') return value !== true;
  return value === minimum ? maximum : minimum;
}

const wordsOf = (tool: Tool, values: Values): string =>
  JSON.stringify(tool.commands(values, PLACE).map(({ command }) => command));

export interface Unused {
  field: string;
  /** A setting of another field with which the field counts; null if there is none. */
  needs: { field: string; value: unknown } | null;
}

/** The first of the given fields that has no effect. @param values of `tool.parse` */
export function unusedField(tool: Tool, given: readonly string[], values: Values): Unused | null {
  const properties = (tool.params.properties ?? {}) as Record<string, Property>;
  const counts = (field: string, at: Values): boolean =>
    wordsOf(tool, at) !== wordsOf(tool, { ...at, [field]: otherThan(properties[field]!, at[field]) });
  // A tool that is ended from outside has its time on no command line.
  const field = given.find(
    (one) => !counts(one, values) && tool.endsAfter(values) === tool.endsAfter({ ...values, [one]: -1 }),
  );
  if (field === undefined) return null;
  for (const [other, { enum: choices = [], type }] of Object.entries(properties))
    for (const value of type === 'boolean' ? [true, false] : choices)
      if (other !== field && counts(field, { ...values, [other]: value }))
        return { field, needs: { field: other, value } };
  return { field, needs: null };
}
