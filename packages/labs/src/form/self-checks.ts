/** Questions for after a run. Their numbers are drawn by a seed, so that a page can ask again with others. */
import type { Option } from '@verbslab/protocol';
import { drawNumbers, type Drawn, type Numbers, seeded, shuffled } from '../base/random.js';

interface NumberCheck<K extends string> {
  kind: 'number';
  id: string;
  numbers: Record<K, Drawn>;
  text: (n: Numbers<K>) => string;
  answer: (n: Numbers<K>) => number;
  unit?: string;
  /** Part of the answer that may be missed; default 0.02. */
  tolerance?: number;
  /** The way to the answer, with these numbers. */
  worked: (n: Numbers<K>) => string;
}

interface ChoiceCheck {
  kind: 'choice';
  id: string;
  text: string;
  options: Option[];
  /** Id of the right option. */
  answer: string;
  worked: string;
}

export type SelfCheckSpec = NumberCheck<string> | ChoiceCheck;

/** A question that is answered with a number. Its functions know the names in `numbers`. */
export const numberCheck = <K extends string>(check: Omit<NumberCheck<K>, 'kind'>): SelfCheckSpec =>
  ({ kind: 'number', ...check }) as unknown as NumberCheck<string>;

export const choiceCheck = (check: Omit<ChoiceCheck, 'kind'>): SelfCheckSpec => ({
  kind: 'choice',
  ...check,
});

/** A question with its numbers drawn: plain data. */
export type SelfCheck = { id: string; text: string; worked: string } & (
  | { kind: 'number'; answer: number; unit?: string; tolerance: number }
  | { kind: 'choice'; options: Option[]; answer: string }
);

const TOLERANCE = 0.02;

function drawOne(spec: SelfCheckSpec, seed: number): SelfCheck {
  const random = seeded(seed);
  if (spec.kind === 'choice') return { ...spec, options: shuffled(random, spec.options) };
  const { id, kind, unit, tolerance = TOLERANCE } = spec;
  const n = drawNumbers(random, spec.numbers);
  return {
    id,
    kind,
    text: spec.text(n),
    answer: spec.answer(n),
    ...(unit === undefined ? {} : { unit }),
    tolerance,
    worked: spec.worked(n),
  };
}

/** The questions of a lab with the numbers of one seed. */
export const drawSelfChecks = (specs: readonly SelfCheckSpec[], seed: number): SelfCheck[] =>
  specs.map((spec, i) => drawOne(spec, seed * 1009 + i));
