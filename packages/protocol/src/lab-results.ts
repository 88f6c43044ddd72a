/** What a run of a lab has found, under the names that the lab declared. */
import { z } from 'zod';
import type { EventBody } from './events.js';
import { zGuess, type Guess, type Prediction } from './lab-form.js';
import { zCount } from './verbs.js';

const zSpreadBounds = { min: z.number().optional(), max: z.number().optional() };

/** `value` is null where nothing could be measured. `min` and `max` span the repetitions, `n` counts them. */
export const zFigureValue = z.object({
  value: z.number().nullable(),
  ...zSpreadBounds,
  n: zCount.optional(),
});
export type FigureValue = z.infer<typeof zFigureValue>;

export const zCell = z.union([z.number(), z.string(), z.boolean(), z.null()]);
export type Cell = z.infer<typeof zCell>;
export const zRow = z.record(z.string(), zCell);
export type Row = z.infer<typeof zRow>;

/** `y` is null where nothing could be measured: a hole in the curve. */
export const zPoint = z.object({
  x: z.number(),
  y: z.number().nullable(),
  /** Absent on a curve with one series. */
  series: z.string().optional(),
  ...zSpreadBounds,
});
export type Point = z.infer<typeof zPoint>;

export const zLabResults = z.object({
  figures: z.record(z.string(), zFigureValue).default({}),
  tables: z.record(z.string(), z.array(zRow)).default({}),
  curves: z.record(z.string(), z.array(zPoint)).default({}),
  /** What a person predicted before the run, and what the run showed, by the id of the prediction. */
  predicted: z.record(z.string(), zGuess).default({}),
  outcomes: z.record(z.string(), zGuess).default({}),
});
export type LabResults = z.infer<typeof zLabResults>;

export const noResults = (): LabResults => ({
  figures: {},
  tables: {},
  curves: {},
  predicted: {},
  outcomes: {},
});

export const isEmpty = (results: LabResults): boolean =>
  Object.values(results).every((part) => Object.keys(part).length === 0);

/** A value with its spread, without what else stands in an event. */
const bounds = ({ min, max }: { min?: number | undefined; max?: number | undefined }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** Adds what an event of a run says to `into`. */
export function takeResult(into: LabResults, event: EventBody): void {
  if (event.kind === 'figure') {
    const { name, value, n } = event;
    into.figures[name] = { value, ...bounds(event), ...(n === undefined ? {} : { n }) };
  } else if (event.kind === 'row') {
    (into.tables[event.table] ??= []).push(event.cells);
  } else if (event.kind === 'point') {
    const { x, y, series } = event;
    const point = { x, y, ...(series === undefined ? {} : { series }), ...bounds(event) };
    (into.curves[event.curve] ??= []).push(point);
  } else if (event.kind === 'predicted') {
    Object.assign(into.predicted, event.values);
  } else if (event.kind === 'outcome') {
    into.outcomes[event.prediction] = event.value;
  }
}

/** What the run showed about a prediction; null where it showed nothing. */
export function outcomeOf(prediction: Prediction, results: LabResults): Guess | null {
  const figure = prediction.kind === 'number' ? prediction.figure : undefined;
  return (
    results.outcomes[prediction.id] ??
    (figure === undefined ? undefined : results.figures[figure]?.value) ??
    null
  );
}
