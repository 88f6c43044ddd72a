/** The part of a lab's context that fills in results: refuses names that the lab does not declare, and emits events. */
import { AppError, type EmittedEvent, type LabContext, type LabDescription } from '@verbslab/protocol';

type ResultWriter = Pick<LabContext<unknown>, 'figure' | 'row' | 'point' | 'outcome'>;

const measured = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;

const finite = <K extends string>(values: Partial<Record<K, number>>): Partial<Record<K, number>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value))) as Partial<
    Record<K, number>
  >;

export function resultWriter(
  { results = {}, predictions = [] }: LabDescription,
  emit: (event: EmittedEvent) => void,
): ResultWriter {
  const declared = <T extends { name: string }>(
    what: string,
    of: readonly T[] | undefined,
    name: string,
  ): T => {
    const spec = of?.find((one) => one.name === name);
    if (!spec) throw new AppError('INTERNAL', { detail: `the lab declares no ${what} “${name}”` });
    return spec;
  };
  return {
    figure(name, value, { min, max, n } = {}) {
      declared('figure', results.figures, name);
      const spread = finite({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
      emit({ kind: 'figure', name, value: measured(value), ...spread, ...(n === undefined ? {} : { n }) });
    },
    row(table, cells) {
      const { columns } = declared('table', results.tables, table);
      for (const name of Object.keys(cells)) declared(`column of “${table}”`, columns, name);
      const readable = Object.entries(cells).map(([name, cell]) => [
        name,
        typeof cell === 'number' ? measured(cell) : cell,
      ]);
      emit({ kind: 'row', table, cells: Object.fromEntries(readable) as typeof cells });
    },
    point(curve, { x, y, series, min, max }) {
      const spec = declared('curve', results.curves, curve);
      if (series !== undefined || spec.series) declared(`series of “${curve}”`, spec.series, series ?? '');
      if (!Number.isFinite(x)) throw new AppError('INTERNAL', { detail: `a point of “${curve}” has no x` });
      const spread = finite({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
      emit({
        kind: 'point',
        curve,
        x,
        y: measured(y),
        ...(series === undefined ? {} : { series }),
        ...spread,
      });
    },
    outcome(prediction, value) {
      if (!predictions.some(({ id }) => id === prediction))
        throw new AppError('INTERNAL', { detail: `the lab declares no prediction “${prediction}”` });
      emit({ kind: 'outcome', prediction, value });
    },
  };
}
