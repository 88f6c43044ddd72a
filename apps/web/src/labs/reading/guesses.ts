import { parseQuantity, type Guess, type Prediction } from '@verbslab/protocol';

/** Answers typed or chosen so far: the text of a number, the id of an option, or ids in order. */
export type Guessing = Readonly<Record<string, string | readonly string[]>>;

/** The guess, if it is complete; null if the person left it out. */
export function guessOf(prediction: Prediction, given: Guessing[string] | undefined): Guess | null {
  if (given === undefined || given === '') return null;
  if (prediction.kind === 'number') return parseQuantity(String(given).replaceAll(',', ''), prediction.unit);
  if (prediction.kind === 'choice') return String(given);
  return given.length === prediction.options.length ? [...given] : null;
}

/** Predictions for `run.start`. */
export function guesses(
  list: readonly Prediction[],
  given: Guessing,
): { predictions?: Record<string, Guess> } {
  const known = list.flatMap((one): [string, Guess][] => {
    const guess = guessOf(one, given[one.id]);
    return guess === null ? [] : [[one.id, guess]];
  });
  return known.length === 0 ? {} : { predictions: Object.fromEntries(known) };
}
