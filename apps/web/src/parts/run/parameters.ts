import { headline } from '@verbslab/labs';
import {
  commandsOf,
  commandText,
  describedBy,
  isProgram,
  SIMULATION_VIEW,
  type LabDescription,
  type RunRow,
} from '@verbslab/protocol';
import { fieldsOf, summary, type Field } from '../../model/fields';

export type ParameterText = (run: RunRow) => string;

/** Parameters of a run that differ from the defaults of its lab. Empty for a program, whose title has its arguments. */
export function parameterText(labs: readonly LabDescription[]): ParameterText {
  const fields = new Map<string, Field[]>(
    [...labs, SIMULATION_VIEW].map(({ id, params }) => [id, fieldsOf(params)]),
  );
  return (run) => (isProgram(run) ? '' : summary(fields.get(run.lab) ?? [], run.parameters));
}

/** First figures that a run's lab names, for lists; null if there are none. */
export type ResultText = (run: RunRow) => string | null;

export const resultText =
  (labs: readonly LabDescription[]): ResultText =>
  (run) =>
    headline(run.result?.results, describedBy(labs, run));

/** All parameters of a run by name, or the command line of a program: the text that a search covers. */
export function allParameters(run: RunRow): string {
  if (isProgram(run)) return commandsOf(run).map(commandText).join(' ');
  return Object.entries(run.parameters)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
