/** A run beside the first one of its lab: what was changed, and what that did to the figures. */
import {
  comparedFigures,
  figureVerdict,
  formatNumber,
  type ComparedFigure,
  type TableView,
} from '@verbslab/labs';
import type { LabDescription, LabResults, RunRecord, RunRow } from '@verbslab/protocol';
import { fieldsOf, valueText } from '../../model/fields';

/** The earliest run of the lab that is done, of those in the list, newest first. */
export const firstOf = (runs: readonly RunRow[] | null, lab: string): RunRow | undefined =>
  runs?.findLast((run) => run.lab === lab && run.state === 'done');

/** With the range of its repetitions, where there were any. */
const rangedText = ({ text, range }: ComparedFigure): string =>
  range === null ? text : `${text} (${range})`;

/** `1.8×` of the first run, or that the difference is inside the spread. */
function changeText(
  before: ComparedFigure | undefined,
  now: ComparedFigure | undefined,
  among: number,
): string {
  if (!before || !now || before.value === null || now.value === null) return '–';
  const verdict = figureVerdict(now, before, among);
  if (verdict === 'same') return verdict;
  if (verdict === 'unclear') return 'no clear difference';
  if (before.value <= 0 || now.value <= 0) return '–';
  return `${formatNumber(now.value / before.value)}×${verdict === 'few' ? '*' : ''}`;
}

/** Parameters that differ, then all figures. Null where there are no figures, or the run is the first one itself. */
export function againstFirst(
  lab: LabDescription,
  first: RunRecord | null,
  { record, results }: { record: RunRecord; results: LabResults },
): TableView | null {
  if (!first || first.id === record.id) return null;
  const before = comparedFigures(first.result, lab);
  const now = comparedFigures(record.result, lab, results);
  if (before.size === 0 || now.size === 0) return null;
  const parameters = fieldsOf(lab.params).flatMap((field) => {
    const [a, b] = [first, record].map(({ parameters: values }) => {
      const value = values[field.name];
      return value === undefined ? '–' : valueText(field, value);
    });
    return a === b ? [] : [[field.title, a ?? '–', b ?? '–', '']];
  });
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const among = names.filter((name) => before.get(name)?.stat && now.get(name)?.stat).length;
  const figures = names.map((name) => {
    const [a, b] = [before.get(name), now.get(name)];
    return [
      (b ?? a)?.label ?? name,
      a ? rangedText(a) : '–',
      b ? rangedText(b) : '–',
      changeText(a, b, Math.max(1, among)),
    ];
  });
  const column = (name: string, label: string, numeric = true) => ({ name, label, unit: '', numeric });
  return {
    name: 'against-first',
    label: `Against run ${first.number}`,
    text: `${
      parameters.length > 0
        ? 'What you changed since the first run, and the figures of both.'
        : 'Both runs had the same parameters.'
    } Change is this run divided by the first one. “No clear difference” means that the ranges of their repetitions overlap. *: too few repetitions for a verdict; the change may be chance.`,
    columns: [
      column('what', 'Parameter or figure', false),
      column('first', `Run ${first.number}`),
      column('this', `Run ${record.number}`),
      column('change', 'Change'),
    ],
    rows: [...parameters, ...figures],
  };
}
