import {
  AppError,
  type ClientMessageOf,
  type Guess,
  type LabDescription,
  type Prediction,
} from '@verbslab/protocol';
import type { RunnableLab } from './lab.js';

type RunRequest = Pick<ClientMessageOf<'run.start'>, 'params' | 'variation' | 'predictions'>;

/** Returns the parameters of a variation; none without a name. Throws AppError USAGE. */
function variationOf(
  { id, variations = [] }: LabDescription,
  name: string | undefined,
): RunRequest['params'] {
  if (name === undefined) return {};
  const found = variations.find((one) => one.name === name);
  if (found) return found.params;
  const known = variations.map((one) => one.name).join(', ');
  throw new AppError('USAGE', {
    detail: `The lab “${id}” has no variation “${name}”`,
    hint: known === '' ? 'It has no variations; set its parameters instead.' : `Choose among: ${known}.`,
  });
}

function fits(prediction: Prediction, guess: Guess): boolean {
  if (prediction.kind === 'number') return typeof guess === 'number';
  const ids = prediction.options.map(({ id }) => id);
  if (prediction.kind === 'choice') return typeof guess === 'string' && ids.includes(guess);
  return Array.isArray(guess) && [...guess].sort().join('\n') === [...ids].sort().join('\n');
}

/** Reads parameters and predictions of a run, checked against the lab's declarations. Throws AppError. */
export function readRunRequest(
  lab: RunnableLab,
  { params, variation, predictions = {} }: RunRequest,
): { params: unknown; predictions: Record<string, Guess> } {
  const { id, predictions: declared = [] } = lab.description;
  for (const [name, guess] of Object.entries(predictions)) {
    const prediction = declared.find((one) => one.id === name);
    if (prediction && fits(prediction, guess)) continue;
    throw new AppError('USAGE', {
      detail: prediction
        ? `The prediction “${name}” does not fit its question`
        : `The lab “${id}” asks for no prediction “${name}”`,
      hint: 'Leave it out, or answer as the lab asks.',
    });
  }
  return { params: lab.parse({ ...variationOf(lab.description, variation), ...params }), predictions };
}
