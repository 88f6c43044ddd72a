/**
 * A worksheet: exercises with their numbers, and the typed answers. Numbers follow from seeds, so a file holds only
 * those.
 */
import { answerText, judge } from './answers.js';
import { drawExercise, type Exercise, type ExerciseSpec, type Field } from './exercise.js';

export const WORKSHEET_VERSION = 1;
/** Characters of an answer at most: more than any answer needs. */
const MOST_TYPED = 200;
const MOST_ITEMS = 500;
export const MOST_SEED = 0xffff_ffff;

export interface WorksheetItem {
  id: string;
  seed: number;
  /** Typed answers by the ids of their fields. */
  given: Readonly<Record<string, string>>;
}

export interface Worksheet {
  format: 'verbslab-worksheet';
  version: number;
  items: readonly WorksheetItem[];
}

export const newWorksheet = (exercises: readonly ExerciseSpec[], seed: number): Worksheet => ({
  format: 'verbslab-worksheet',
  version: WORKSHEET_VERSION,
  items: exercises.map(({ id }) => ({ id, seed, given: {} })),
});

export type ReadWorksheet =
  | { sheet: Worksheet; unknown: readonly string[] }
  /** Reason why the text is no worksheet that can be read: the end of a sentence (error code BAD_WORKSHEET). */
  | { why: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSeed = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_SEED;

/** Reads one item. Returns the reason if it is none. */
function itemOf(value: unknown, at: number): WorksheetItem | string {
  const where = `exercise ${at + 1} of it`;
  if (!isRecord(value) || typeof value.id !== 'string') return `${where} has no id.`;
  if (!isSeed(value.seed)) return `${where} (${value.id.slice(0, 40)}) has no seed from 0 to ${MOST_SEED}.`;
  const { id, seed, given = {} } = value;
  if (!isRecord(given)) return `${where} (${id.slice(0, 40)}) has answers that are not a list by field.`;
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MOST_TYPED,
  );
  if (texts.length < Object.keys(given).length)
    return `${where} (${id.slice(0, 40)}) has an answer that is no text of at most ${MOST_TYPED} characters.`;
  return { id, seed, given: Object.fromEntries(texts) };
}

/** Reads a saved worksheet. Exercises that this version does not have are named and left out. */
export function readWorksheet(text: string, known: readonly ExerciseSpec[]): ReadWorksheet {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'it is not JSON.' };
  }
  if (!isRecord(value) || value.format !== 'verbslab-worksheet')
    return { why: 'it has no format “verbslab-worksheet”.' };
  const { version, items } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { why: 'it has no version.' };
  if (version > WORKSHEET_VERSION)
    return {
      why: `it has version ${version}, and this Verbs Lab reads up to version ${WORKSHEET_VERSION}. Open it with a newer one.`,
    };
  if (!Array.isArray(items) || items.length === 0) return { why: 'it has no exercises.' };
  if (items.length > MOST_ITEMS)
    return { why: `it has ${items.length} exercises, and at most ${MOST_ITEMS} are read.` };
  const read: WorksheetItem[] = [];
  for (const [at, one] of items.entries()) {
    const item = itemOf(one, at);
    if (typeof item === 'string') return { why: item };
    if (read.some(({ id }) => id === item.id)) return { why: `the exercise “${item.id}” is in it twice.` };
    read.push(item);
  }
  const has = ({ id }: WorksheetItem): boolean => known.some((one) => one.id === id);
  const kept = read.filter(has);
  const unknown = read.filter((one) => !has(one)).map(({ id }) => id);
  if (kept.length === 0)
    return { why: `this Verbs Lab has none of its exercises (${unknown.slice(0, 5).join(', ')}).` };
  return { sheet: { format: 'verbslab-worksheet', version: WORKSHEET_VERSION, items: kept }, unknown };
}

/** Exercises with every field right, and the number of exercises. */
export function rightCount(
  sheet: Worksheet,
  find: (id: string) => ExerciseSpec | undefined,
): { right: number; of: number } {
  const drawn = sheet.items.flatMap((item) => {
    const spec = find(item.id);
    return spec ? [{ item, exercise: drawExercise(spec, item.seed) }] : [];
  });
  const right = drawn.filter(({ item, exercise }) =>
    exercise.fields.every((field) => judge(field, item.given[field.id] ?? '') === 'right'),
  );
  return { right: right.length, of: drawn.length };
}

function fieldLine(field: Field, solved: boolean): string {
  if (solved) return `- ${field.label}: **${answerText(field)}**`;
  if (field.kind === 'choice')
    return [`- ${field.label}:`, ...field.options.map(({ text }) => `  - [ ] ${text}`)].join('\n');
  const unit = field.kind === 'number' && field.unit !== undefined ? ` ${field.unit}` : '';
  return `- ${field.label}: ____________${unit}`;
}

function exerciseMarkdown(exercise: Exercise, number: number, solved: boolean): string {
  const { title, text, fields, worked } = exercise;
  return [
    `### ${number}. ${title}`,
    text,
    fields.map((one) => fieldLine(one, solved)).join('\n'),
    ...(solved ? [worked.map((one) => `> ${one}`).join('\n>\n')] : []),
  ].join('\n\n');
}

export interface SheetGroup {
  title: string;
  exercises: readonly Exercise[];
}

/** A sheet to fill in; with `solved`, its answers with the way to them. */
export function worksheetMarkdown(title: string, groups: readonly SheetGroup[], solved: boolean): string {
  let number = 0;
  const parts = groups.map(({ title: group, exercises }) =>
    [`## ${group}`, ...exercises.map((one) => exerciseMarkdown(one, ++number, solved))].join('\n\n'),
  );
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}
