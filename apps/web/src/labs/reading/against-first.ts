/** A run beside the first one of its lab: what was changed, and what that did to the figures. */
import { resultViews, type FigureView, type TableView } from '@verbslab/labs';
import { noResults, type LabDescription, type LabResults, type RunRecord } from '@verbslab/protocol';
import { fieldsOf, valueText } from '../form-model';

/** The earliest run of the lab that is done, of those in the list, newest first. */
export const firstOf = (runs: readonly RunRecord[] | null, lab: string): RunRecord | undefined =>
  runs?.findLast((run) => run.lab === lab && run.state === 'done');

const figureText = (figure: FigureView | undefined): string => {
  if (!figure) return '–';
  const { shown, spread } = figure;
  const value = shown.unit === '' ? shown.value : `${shown.value}\u00a0${shown.unit}`;
  return spread === null ? value : `${value} (${spread})`;
};

/** Parameters that differ, then all figures. Null where the lab has no figures, or the run is the first one itself. */
export function againstFirst(
  lab: LabDescription,
  first: RunRecord | undefined,
  { record, results }: { record: RunRecord; results: LabResults },
): TableView | null {
  if (!first || first.id === record.id) return null;
  const before = resultViews(first.result?.results ?? noResults(), lab).figures;
  const now = resultViews(results, lab).figures;
  if (before.length === 0 || now.length === 0) return null;
  const parameters = fieldsOf(lab.params).flatMap((field) => {
    const [a, b] = [first, record].map(({ parameters: values }) => {
      const value = values[field.name];
      return value === undefined ? '–' : valueText(field, value);
    });
    return a === b ? [] : [[field.title, a ?? '–', b ?? '–']];
  });
  const names = [...new Set([...before, ...now].map(({ name }) => name))];
  const figures = names.map((name) => {
    const [a, b] = [before, now].map((list) => list.find((one) => one.name === name));
    return [(b ?? a)?.label ?? name, figureText(a), figureText(b)];
  });
  const column = (name: string, label: string, numeric = true) => ({ name, label, unit: '', numeric });
  return {
    name: 'against-first',
    label: `Against run ${first.number}`,
    text:
      parameters.length > 0
        ? 'What you changed since the first run, and the figures of both.'
        : 'Both runs had the same parameters.',
    columns: [
      column('what', 'Parameter or figure', false),
      column('first', `Run ${first.number}`),
      column('this', `Run ${record.number}`),
    ],
    rows: [...parameters, ...figures],
  };
}
