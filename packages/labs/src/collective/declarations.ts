/** Declarations of labs that compare two algorithms among many hosts. */
import type { FigureSpec, Option, ResultSpecs } from '@verbslab/protocol';
import { z } from 'zod';
import { medianColumns } from '../form/common-results.js';

type Titles = Readonly<Record<string, string>>;

/** The number of hosts as a parameter. @param description of each host */
export const hosts = (description: string) =>
  z.int().min(2).max(8).default(4).meta({ title: 'Hosts', description });

/** Options of a prediction about the faster of two algorithms. */
export const faster = (titles: Titles): Option[] => [
  ...Object.entries(titles).map(([id, text]) => ({ id, text })),
  { id: 'unclear', text: 'No clear difference' },
];

/** Makes the figures of both algorithms. @param titles as they appear within a label */
export const figuresOf =
  (titles: Titles) =>
  (
    name: string,
    label: (title: string) => string,
    more: Pick<FigureSpec, 'unit' | 'text'> = {},
  ): FigureSpec[] =>
    Object.entries(titles).map(([id, title]) => ({ name: `${name}-${id}`, label: label(title), ...more }));

/**
 * Times of both algorithms by size, as a table and as a curve. @param of the thing with that size @param series titles
 * of the lines
 */
export const timesBySize = (
  of: string,
  { label, text, series }: { label: string; text: string; series: Titles },
) =>
  ({
    tables: [
      {
        ...{ name: 'times', label, text },
        columns: [
          { name: 'size', label: of, unit: 'B' },
          { name: 'algorithm', label: 'Algorithm' },
          ...medianColumns(),
        ],
      },
    ],
    curves: [
      {
        name: 'time',
        label: `Time by ${of.toLowerCase()} size`,
        x: { label: of, unit: 'B', log: true },
        y: { label: 'Time', unit: 'µs', log: true },
        series: Object.entries(series).map(([name, title]) => ({ name, label: title })),
      },
    ],
  }) satisfies ResultSpecs;
