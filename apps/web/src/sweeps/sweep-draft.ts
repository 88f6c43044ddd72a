import { readSweep, sweepGrid, type PropertySchema, type SweptParam } from '@verbslab/labs';
import { AppError, MAX_SWEEP_RUNS, type LabDescription, type SweepPlan } from '@verbslab/protocol';
import { show, type Field } from '../labs/form-model';

/** What the person typed: one or two parameters with their values, and the repetitions. */
export interface SweepDraft {
  rows: readonly { param: string; values: string }[];
  repeat: string;
}

export interface SweepReading {
  /** Null while something is wrong. */
  plan: Pick<SweepPlan, 'axes' | 'points' | 'repeat'> | null;
  runs: number;
  /** What is wrong, by row; `repeat` and `all` are beside them. */
  errors: { rows: (string | null)[]; repeat: string | null; all: string | null };
}

const said = (error: unknown): string => {
  if (!(error instanceof AppError)) throw error;
  return `${error.info.message} ${error.info.cure}`;
};

/** Parameters with values that can be listed. */
export const sweepable = (fields: readonly Field[]): Field[] => fields.filter(({ kind }) => kind !== 'text');

/** Values to begin with: all choices, or a factor of 2 on both sides of the default. */
export function suggestedValues(field: Field): string {
  if (field.kind === 'switch') return 'false,true';
  if (field.kind === 'choice') return (field.choices ?? []).join(',');
  const { minimum = 0, maximum = Infinity } = field;
  const middle = typeof field.preset === 'number' && field.preset > 0 ? field.preset : Math.max(1, minimum);
  const shown = (value: number): string => show(field, value).replaceAll(' ', '');
  const from = Math.max(minimum, middle / 4);
  const whole = field.kind === 'integer' ? Math.max(1, Math.ceil(from)) : from;
  return `${shown(whole)}..${shown(Math.min(maximum, middle * 4))}*2`;
}

export function readSweepDraft(lab: LabDescription, draft: SweepDraft): SweepReading {
  const properties = (lab.params.properties ?? {}) as Record<string, PropertySchema>;
  const swept: SweptParam[] = [];
  const rows = draft.rows.map(({ param, values }, row) => {
    if (draft.rows.findIndex((one) => one.param === param) !== row)
      return 'This parameter is swept already. Choose another one.';
    try {
      swept.push(readSweep(lab.id, `${param}=${values}`, properties));
      return null;
    } catch (error) {
      return said(error);
    }
  });
  const repeat = /^\d+$/.test(draft.repeat.trim()) ? Number(draft.repeat) : 0;
  const counts = repeat >= 1 && repeat <= MAX_SWEEP_RUNS;
  const runs = swept.reduce((product, { values }) => product * values.length, repeat);
  const errors = {
    rows,
    repeat: counts ? null : `Enter a whole number from 1 to ${MAX_SWEEP_RUNS}.`,
    all:
      runs > MAX_SWEEP_RUNS
        ? `Too many runs: ${runs} (limit ${MAX_SWEEP_RUNS}). Give fewer values or repetitions.`
        : null,
  };
  const wrong = rows.some((one) => one !== null) || errors.repeat !== null || errors.all !== null;
  const axes = swept.map(({ param, scale }) => ({ param, scale }));
  return { plan: wrong ? null : { axes, points: sweepGrid(swept), repeat }, runs, errors };
}
