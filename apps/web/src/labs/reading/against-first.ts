/** A run beside the first one of its lab: what was changed, and what that did to the figures. */
import { compare, formatNumber, quantityText, resultViews, type Stat, type TableView } from '@verbslab/labs';
import {
  noResults,
  runFigures,
  TRANSPORT_NAME,
  transportFigureSpec,
  transportSpread,
  type LabDescription,
  type LabResults,
  type RunRecord,
} from '@verbslab/protocol';
import { fieldsOf, valueText } from '../form-model';

/** The earliest run of the lab that is done, of those in the list, newest first. */
export const firstOf = (runs: readonly RunRecord[] | null, lab: string): RunRecord | undefined =>
  runs?.findLast((run) => run.lab === lab && run.state === 'done');

/** A figure of one of the two runs. */
interface Compared {
  label: string;
  text: string;
  value: number | null;
  /** The range of its repetitions, where there were any. */
  stat: Stat | null;
}

/** The figures of each transport, then those that the lab declares, by name. */
function figuresOf(lab: LabDescription, record: RunRecord, results: LabResults): Map<string, Compared> {
  const figures = new Map<string, Compared>();
  for (const [name, value] of Object.entries(record.result ? runFigures(record.result) : {})) {
    const spec = transportFigureSpec(name);
    if (!spec || value === null) continue;
    const spread = transportSpread(record.result?.transports[spec.transport], name);
    const range = spread ? ` (${formatNumber(spread.min)}–${formatNumber(spread.max)})` : '';
    figures.set(name, {
      label: `${TRANSPORT_NAME[spec.transport]} ${spec.label}`,
      text: `${quantityText(value, spec)}${range}`,
      ...{ value, stat: spread && { value, ...spread } },
    });
  }
  for (const { name, label, raw, shown, spread, n } of resultViews(results, lab).figures) {
    const text = shown.unit === '' ? shown.value : `${shown.value}\u00a0${shown.unit}`;
    const { min, max } = results.figures[name] ?? {};
    const ranged = raw !== null && min !== undefined && max !== undefined;
    figures.set(name, {
      ...{ label, text: spread === null ? text : `${text} (${spread})`, value: raw },
      stat: ranged ? { value: raw, min, max, n: n ?? 2 } : null,
    });
  }
  return figures;
}

/** `1.8×` of the first run, or that the difference is inside the spread. */
function changeText(before: Compared | undefined, now: Compared | undefined): string {
  if (!before || !now || before.value === null || now.value === null) return '–';
  if (before.value === now.value) return 'same';
  if (before.stat && now.stat && compare(now.stat, before.stat) === 'unclear') return 'no clear difference';
  return before.value > 0 && now.value > 0 ? `${formatNumber(now.value / before.value)}×` : '–';
}

/** Parameters that differ, then all figures. Null where there are no figures, or the run is the first one itself. */
export function againstFirst(
  lab: LabDescription,
  first: RunRecord | undefined,
  { record, results }: { record: RunRecord; results: LabResults },
): TableView | null {
  if (!first || first.id === record.id) return null;
  const before = figuresOf(lab, first, first.result?.results ?? noResults());
  const now = figuresOf(lab, record, results);
  if (before.size === 0 || now.size === 0) return null;
  const parameters = fieldsOf(lab.params).flatMap((field) => {
    const [a, b] = [first, record].map(({ parameters: values }) => {
      const value = values[field.name];
      return value === undefined ? '–' : valueText(field, value);
    });
    return a === b ? [] : [[field.title, a ?? '–', b ?? '–', '']];
  });
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const figures = names.map((name) => {
    const [a, b] = [before.get(name), now.get(name)];
    return [(b ?? a)?.label ?? name, a?.text ?? '–', b?.text ?? '–', changeText(a, b)];
  });
  const column = (name: string, label: string, numeric = true) => ({ name, label, unit: '', numeric });
  return {
    name: 'against-first',
    label: `Against run ${first.number}`,
    text: `${
      parameters.length > 0
        ? 'What you changed since the first run, and the figures of both.'
        : 'Both runs had the same parameters.'
    } Change is this run divided by the first one. “No clear difference” means that the ranges of their repetitions overlap. Without repetitions, a change may be chance.`,
    columns: [
      column('what', 'Parameter or figure', false),
      column('first', `Run ${first.number}`),
      column('this', `Run ${record.number}`),
      column('change', 'Change'),
    ],
    rows: [...parameters, ...figures],
  };
}
