// Rows of the device bench in its two shapes: against something measured beside it, and a figure of its own.
import { figureRow, paired, type Row, type Target } from '../lib/paired.js';
import { tcp } from './measures.js';

type Measure = () => Promise<number>;
export type DeviceCases = Readonly<Record<string, () => Promise<Row>>>;

/** Rows over `pairs` pairs; figures of their own over as many runs. */
export function rows(pairs: number) {
  const against = (name: string, unit: string, a: Measure, b: Measure, target: Target) => () =>
    paired(name, unit, pairs, a, b, target);
  return {
    against,
    againstTcp: (name: string, a: Measure, atLeast: number) =>
      against(`${name} against one TCP stream`, 'Gb/s', a, tcp, { atLeast }),
    alone: (name: string, unit: string, measure: Measure, target: Target) => async () => {
      await measure();
      const values: number[] = [];
      for (let run = 0; run < pairs; run++) values.push(await measure());
      return figureRow(name, unit, values, target);
    },
  };
}
