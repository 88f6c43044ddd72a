// Two transports side by side, from the rows of the run.
import { rowsOf, type Recompute, type Row } from './found.js';

export const copies: Recompute = (evidence, { size, one, other }) => {
  const { parameters } = evidence.data.run;
  const [small, large] = [Number(parameters.size), Number(parameters.large)];
  const bytes = Number(size);
  const rowOf = (table: string, way: string | number | undefined): Row =>
    rowsOf(evidence, table).find((row) => row.way === way)!;
  const value = (row: Row, name: string): number => (row[name] === null ? NaN : Number(row[name]));
  const cpuAt = (row: Row, at: number): number =>
    value(row, 'cpu') + (value(row, 'kib') * ((at - small) / 1024)) / 1000;
  const sides = [one, other].map((way) => {
    const row = rowOf('ways', way);
    const count = value(rowOf('copies', way), 'copies');
    const cpu = cpuAt(row, bytes);
    return [
      ['Copies by the CPU, a model', '', count],
      ['Bytes that the CPU copies, a model', 'B', count * bytes],
      ['System calls, under tracing', '', value(row, 'program') + value(row, 'device')],
      ['Context switches', '', value(row, 'switches')],
      ['CPU time', 'µs', cpu],
      ['CPU time per message, whatever its size', 'µs', cpuAt(row, 0)],
      ['CPU time per byte', 'ns', value(row, 'kib') / 1024],
    ] as const;
  });
  const shown = (number: number): number | null => (Number.isFinite(number) ? number : null);
  return {
    figures: {},
    tables: {
      sides: sides[0]!.map(([what, unit, left], i) => {
        const right = sides[1]![i]![2];
        return {
          what,
          unit,
          one: shown(left),
          other: shown(right),
          ratio: left >= 0 && right > 0 ? left / right : null,
        };
      }),
    },
    curves: {
      cpu: [one, other].flatMap((way, i) =>
        [small, large].map((x) => ({
          x,
          y: shown(cpuAt(rowOf('ways', way), x)),
          series: ['one', 'other'][i]!,
        })),
      ),
    },
  };
};
