/** Columns, points and cells of a quantity that was measured several times. */
import type { ColumnSpec } from '@verbslab/protocol';
import type { Stat } from '../base/sweep.js';

/** Columns for `cellsOf`, with the words for the number of measurements, and for the ends of their range. */
export const medianColumns = (
  n = 'Repetitions',
  [least, most]: readonly [string, string] = ['Lowest', 'Highest'],
): ColumnSpec[] => [
  { name: 'median', label: 'Median', unit: 'µs' },
  { name: 'min', label: least, unit: 'µs' },
  { name: 'max', label: most, unit: 'µs' },
  { name: 'n', label: n },
];

/** Cells of the columns of `medianColumns`. */
export const cellsOf = ({ value: median, min, max, n }: Stat) => ({ median, min, max, n });

/** Height of a point of a curve, and its range. */
export const heightOf = ({ value: y, min, max }: Stat) => ({ y, min, max });
