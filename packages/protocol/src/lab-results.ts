/** Results of a lab's run, under the names that the lab declared. */
import { z } from 'zod';
import { zGuess } from './lab-form.js';
import { zCount } from './verbs.js';

const zSpreadBounds = { min: z.number().optional(), max: z.number().optional() };

/** A figure. `value` is null if it could not be measured. `min` and `max` span the repetitions, `n` is their number. */
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

/** A point. `y` is null if it could not be measured: a hole in the curve. */
export const zPoint = z.object({
  x: z.number(),
  y: z.number().nullable(),
  /** Name of the series; absent on a curve with one series. */
  series: z.string().optional(),
  ...zSpreadBounds,
});
export type Point = z.infer<typeof zPoint>;

export const zLabResults = z.object({
  figures: z.record(z.string(), zFigureValue).default({}),
  tables: z.record(z.string(), z.array(zRow)).default({}),
  curves: z.record(z.string(), z.array(zPoint)).default({}),
  /** Predictions of a person before the run, and outcomes of the run, by the id of the prediction. */
  predicted: z.record(z.string(), zGuess).default({}),
  outcomes: z.record(z.string(), zGuess).default({}),
});
export type LabResults = z.infer<typeof zLabResults>;
