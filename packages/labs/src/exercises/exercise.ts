/** Calculations with drawn numbers: the question, the right answers, and the steps to them. */
import type { Option } from '@verbslab/protocol';
import { seeded, shuffled, drawNumbers, type Drawn, type Numbers } from '../base/random.js';

interface NumberField<K extends string> {
  kind: 'number';
  id: string;
  label: string;
  answer: (n: Numbers<K>) => number;
  /** Unit of the answer; for `B`, `s` and `Gb/s` any usual multiple may be typed. */
  unit?: string;
  /** Relative error that is accepted; default: none. */
  tolerance?: number;
  /** The answer is shown in hexadecimal. */
  hex?: boolean;
}

interface TextField<K extends string> {
  kind: 'text';
  id: string;
  label: string;
  answer: (n: Numbers<K>) => string;
  /** Notation of the answer; all spellings of one value count as equal. */
  form: 'ipv6' | 'bytes';
}

interface ChoiceField<K extends string> {
  kind: 'choice';
  id: string;
  label: string;
  options: readonly Option[];
  /** Id of the right option. */
  answer: (n: Numbers<K>) => string;
}

type FieldSpec<K extends string> = NumberField<K> | TextField<K> | ChoiceField<K>;

/** Lab in which the answer can be measured. */
export interface Measure {
  lab: string;
  text: string;
}

interface Spec<K extends string> {
  id: string;
  title: string;
  numbers: Record<K, Drawn>;
  text: (n: Numbers<K>) => string;
  fields: readonly FieldSpec<K>[];
  /** The steps to the answers, with these numbers. */
  worked: (n: Numbers<K>) => readonly string[];
  measure?: Measure;
}

/** An exercise without its numbers. */
export type ExerciseSpec = Spec<string>;

/** Checks that the functions of `spec` use only the names in `numbers`. */
export const exercise = <K extends string>(spec: Spec<K>): ExerciseSpec => spec;

export type Field = { id: string; label: string } & (
  | { kind: 'number'; answer: number; unit?: string; tolerance: number; hex: boolean }
  | { kind: 'text'; answer: string; form: 'ipv6' | 'bytes' }
  | { kind: 'choice'; answer: string; options: readonly Option[] }
);

/** An exercise with its numbers: plain data. */
export interface Exercise {
  id: string;
  title: string;
  text: string;
  fields: readonly Field[];
  worked: readonly string[];
  measure?: Measure;
}

function fieldOf(spec: FieldSpec<string>, n: Numbers<string>): Field {
  const { id, label } = spec;
  switch (spec.kind) {
    case 'number': {
      const { unit, tolerance = 0, hex = false } = spec;
      const answer = spec.answer(n);
      return { kind: 'number', id, label, answer, ...(unit === undefined ? {} : { unit }), tolerance, hex };
    }
    case 'text':
      return { kind: 'text', id, label, answer: spec.answer(n), form: spec.form };
    case 'choice':
      return { kind: 'choice', id, label, answer: spec.answer(n), options: spec.options };
  }
}

/** The exercise with given numbers. */
export function withNumbers(spec: ExerciseSpec, n: Numbers<string>): Exercise {
  const { id, title, fields, measure } = spec;
  return {
    id,
    title,
    text: spec.text(n),
    fields: fields.map((one) => fieldOf(one, n)),
    worked: spec.worked(n),
    ...(measure === undefined ? {} : { measure }),
  };
}

/** FNV-1a, so that exercises of one seed draw apart from each other. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

/** The exercise with the numbers of a seed, and the options of its choices in an order of that seed. */
export function drawExercise(spec: ExerciseSpec, seed: number): Exercise {
  const random = seeded((hash(spec.id) ^ Math.imul(seed, 0x9e3779b1)) >>> 0);
  const { fields, ...drawn } = withNumbers(spec, drawNumbers(random, spec.numbers));
  const shuffle = (field: Field): Field =>
    field.kind === 'choice' ? { ...field, options: shuffled(random, field.options) } : field;
  return { ...drawn, fields: fields.map(shuffle) };
}
