// Without schemas: pages fold results from the stream, and must not load a validator for it.
import type { EventBody } from './events.js';
import type { Guess, Prediction } from './lab-form.js';
import type { LabResults } from './lab-results.js';

/** Names come from bundles of others, too: without a prototype, “constructor” is a name as any other. */
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

/** A value with its spread, without what else stands in an event. */
const bounds = ({ min, max }: { min?: number | undefined; max?: number | undefined }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

/** Adds what an event of a run says to `into`. */
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

/** What the run showed about a prediction; null where it showed nothing. */
export function outcomeOf(prediction: Prediction, results: LabResults): Guess | null {
  const figure = prediction.kind === 'number' ? prediction.figure : undefined;
  return (
    results.outcomes[prediction.id] ??
    (figure === undefined ? undefined : results.figures[figure]?.value) ??
    null
  );
}
