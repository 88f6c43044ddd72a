import { readSweep, sweepGrid, type PropertySchema, type SweptParam } from '@verbslab/labs';
import { AppError, MAX_SWEEP_RUNS, type LabDescription, type SweepPlan } from '@verbslab/protocol';
import { show, valueText, type Field, type Parameters } from '../model/fields';
import { readForm } from '../parts/forms/form-reading';
import { isNumeric, namesOf, plainErrors, plainOf, type RowErrors } from './plain-values';

/** Content of the form: one or two parameters with the expressions of their values, and the repetitions. */
export interface SweepDraft {
  rows: readonly { param: string; values: string }[];
  repeat: string;
}

export interface SweepReading {
  /** Null while the form has errors. */
  plan: Pick<SweepPlan, 'axes' | 'points' | 'repeat'> | null;
  runs: number;
  /** Values of each row; empty if the row has an error. */
  values: (readonly unknown[])[];
  /** Errors by row, of the repetitions, and of the whole form. */
  errors: { rows: (RowErrors & { expression?: string })[]; repeat: string | null; all: string | null };
}

const said = (error: unknown): string => {
  if (!(error instanceof AppError)) throw error;
  return `${error.info.message} ${error.info.cure}`;
};

/** Parameters whose values can be listed. */
export const sweepable = (fields: readonly Field[]): Field[] => fields.filter(({ kind }) => kind !== 'text');

/** Initial values: all choices, or a factor of 2 on both sides of the default. */
export function suggestedValues(field: Field): string {
  if (!isNumeric(field)) return namesOf(field).join(',');
  const { minimum = 0, maximum = Infinity } = field;
  const middle = typeof field.preset === 'number' && field.preset > 0 ? field.preset : Math.max(1, minimum);
  const shown = (value: number): string => show(field, value).replaceAll(' ', '');
  const from = Math.max(minimum, middle / 4);
  const whole = field.kind === 'integer' ? Math.max(1, Math.ceil(from)) : from;
  return `${shown(whole)}..${shown(Math.min(maximum, middle * 4))}*2`;
}

/**
 * Reads the form of a sweep. `fields` are those of the lab on the chosen devices, `params` the common parameters of all
 * runs.
 */
export function readSweepDraft(
  lab: LabDescription,
  fields: readonly Field[],
  params: Parameters,
  draft: SweepDraft,
): SweepReading {
  const properties = (lab.params.properties ?? {}) as Record<string, PropertySchema>;
  const swept: SweptParam[] = [];
  const values: (readonly unknown[])[] = [];
  const rows = draft.rows.map(
    ({ param, values: expression }, row): SweepReading['errors']['rows'][number] => {
      values[row] = [];
      if (draft.rows.findIndex((one) => one.param === param) !== row)
        return { expression: 'This parameter is swept already. Choose another one.' };
      const field = fields.find(({ name }) => name === param);
      const plain = field ? plainErrors(field, plainOf(field, expression)) : {};
      if (Object.keys(plain).length > 0) return plain;
      try {
        const one = readSweep(lab.id, `${param}=${expression}`, properties);
        swept.push(one);
        values[row] = one.values;
        return {};
      } catch (error) {
        return { expression: said(error) };
      }
    },
  );
  const repeat = /^\d+$/.test(draft.repeat.trim()) ? Number(draft.repeat) : 0;
  const counts = repeat >= 1 && repeat <= MAX_SWEEP_RUNS;
  const runs = swept.reduce((product, one) => product * one.values.length, repeat);
  const readable = counts && rows.every((one) => Object.keys(one).length === 0);
  const points = readable && runs <= MAX_SWEEP_RUNS ? sweepGrid(swept) : [];
  const errors = {
    rows,
    repeat: counts ? null : `Enter a whole number from 1 to ${MAX_SWEEP_RUNS}.`,
    all:
      runs > MAX_SWEEP_RUNS
        ? `Too many runs: ${runs} (limit ${MAX_SWEEP_RUNS}). Give fewer values or repetitions.`
        : brokenPoint(lab, fields, params, points),
  };
  const axes = swept.map(({ param, scale }) => ({ param, scale }));
  return {
    plan: points.length > 0 && errors.all === null ? { axes, points, repeat } : null,
    ...{ runs, values, errors },
  };
}

/** Error for the first point whose values the lab does not allow together: “Depth 1: 16 is more than …”. */
function brokenPoint(
  lab: LabDescription,
  fields: readonly Field[],
  params: Parameters,
  points: SweepPlan['points'],
): string | null {
  for (const point of points) {
    const all: Record<string, unknown> = { ...params, ...point };
    const draft = Object.fromEntries(
      fields.map((field) => [
        field.name,
        field.kind === 'switch' ? all[field.name] === true : show(field, all[field.name]),
      ]),
    );
    const [broken] = Object.entries(readForm(fields, draft, lab.rules).errors);
    if (!broken) continue;
    const [name, message] = broken;
    const title = fields.find((field) => field.name === name)?.title ?? name;
    const at = fields
      .filter((field) => Object.hasOwn(point, field.name))
      .map((field) => `${field.title} ${valueText(field, point[field.name])}`);
    return `At ${at.join(', ')}: ${title}: ${message}`;
  }
  return null;
}
