// No schemas here: pages collect results from the stream, and must not load a validator for that.
import type { EventBody } from './events.js';
import type { Guess, Prediction } from './lab-form.js';
import type { LabResults } from './lab-results.js';

/**
 * Dictionary without a prototype. Names also come from bundles of others, and “constructor” must be a name like any
 * other.
 */
const dictionary = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

export const noResults = (): LabResults => ({
  figures: dictionary(),
  tables: dictionary(),
  curves: dictionary(),
  predicted: dictionary(),
  outcomes: dictionary(),
});

export const isEmpty = (results: LabResults): boolean =>
  Object.values(results).every((part) => Object.keys(part).length === 0);

/** The spread of a value, without an event's other fields. */
const bounds = ({ min, max }: { min?: number | undefined; max?: number | undefined }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** Adds the result in an event to `into`. */
export function takeResult(into: LabResults, event: EventBody): void {
  if (event.kind === 'figure') {
    const { name, value, n } = event;
    into.figures[name] = { value, ...bounds(event), ...(n === undefined ? {} : { n }) };
  } else if (event.kind === 'row') {
    (into.tables[event.table] ??= []).push(event.cells);
  } else if (event.kind === 'point') {
    const { x, y, series } = event;
    const point = { x, y, ...(series === undefined ? {} : { series }), ...bounds(event) };
    (into.curves[event.curve] ??= []).push(point);
  } else if (event.kind === 'predicted') {
    Object.assign(into.predicted, event.values);
  } else if (event.kind === 'outcome') {
    into.outcomes[event.prediction] = event.value;
  }
}

/** Outcome of the run for a prediction; null if there is none. */
export function outcomeOf(prediction: Prediction, results: LabResults): Guess | null {
  const figure = prediction.kind === 'number' ? prediction.figure : undefined;
  return (
    results.outcomes[prediction.id] ??
    (figure === undefined ? undefined : results.figures[figure]?.value) ??
    null
  );
}
