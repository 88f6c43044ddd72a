'use client';
import { parseQuantity, type Guess, type Prediction } from '@verbslab/protocol';
import { useId } from 'react';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';

/** Answers typed or chosen so far: the text of a number, the id of an option, or ids in order. */
export type Guessing = Readonly<Record<string, string | readonly string[]>>;

/** The guess, if it is complete; null if the person left it out. */
function guessOf(prediction: Prediction, given: Guessing[string] | undefined): Guess | null {
  if (given === undefined) return null;
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

interface PredictionFormProps {
  list: readonly Prediction[];
  given: Guessing;
  onChange: (id: string, guess: Guessing[string]) => void;
}

/** Questions asked before the run. All answers are optional. */
export function PredictionForm({ list, given, onChange }: PredictionFormProps) {
  return (
    <section aria-labelledby="predict" className="mt-6">
      <h2 id="predict" className="text-16 font-semibold">
        Predict
      </h2>
      <p className="mt-1 text-13 text-ink-2">
        Guess before you run. The run shows your guess beside the measurement. You can leave any out.
      </p>
      <div className="mt-2 divide-y border-y">
        {list.map((one) => (
          <fieldset
            key={one.id}
            aria-label={one.text}
            className="grid gap-x-6 gap-y-2 py-3 sm:grid-cols-[1fr_1fr]"
          >
            <p className="max-w-[48ch]">
              <Gloss>{one.text}</Gloss>
            </p>
            <Answer prediction={one} given={given[one.id]} onChange={(guess) => onChange(one.id, guess)} />
          </fieldset>
        ))}
      </div>
    </section>
  );
}

function Answer(props: {
  prediction: Prediction;
  given: Guessing[string] | undefined;
  onChange: (guess: Guessing[string]) => void;
}) {
  const { prediction, given, onChange } = props;
  const id = useId();
  if (prediction.kind === 'number') {
    const text = given === undefined ? '' : String(given);
    const unread = text.trim() !== '' && guessOf(prediction, text) === null;
    return (
      <div>
        <span className="flex items-center gap-2">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            aria-label={prediction.text}
            aria-invalid={unread}
            aria-describedby={id}
            value={text}
            onChange={(e) => onChange(e.target.value)}
            className="num h-9 w-40 rounded-[4px] border border-line-strong bg-panel px-2.5 aria-invalid:border-error pointer-coarse:h-11"
          />
          <span className="unit text-13">{prediction.unit === 'B' ? 'B, KiB or MiB' : prediction.unit}</span>
        </span>
        <p id={id} role={unread ? 'alert' : undefined} className="text-13 text-error-ink empty:hidden">
          {unread ? 'This is not a number. It is left out.' : ''}
        </p>
      </div>
    );
  }
  if (prediction.kind === 'choice')
    return (
      <div className="flex flex-col">
        {prediction.options.map((option) => (
          <label key={option.id} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name={id}
              checked={given === option.id}
              onChange={() => onChange(option.id)}
              className="size-4 shrink-0 accent-accent"
            />
            {option.text}
          </label>
        ))}
      </div>
    );
  return (
    <Order
      prediction={prediction}
      given={Array.isArray(given) ? (given as string[]) : []}
      onChange={onChange}
    />
  );
}

/** Options that are pressed one after the other; each shows its position. */
function Order(props: {
  prediction: Extract<Prediction, { kind: 'order' }>;
  given: readonly string[];
  onChange: (guess: readonly string[]) => void;
}) {
  const { prediction, given, onChange } = props;
  const [first, last] = prediction.ends;
  return (
    <div>
      <p className="mb-1 text-13 text-ink-2">
        Press them in order, from {first} to {last}.
      </p>
      <div className="flex flex-wrap gap-2">
        {prediction.options.map(({ id, text }) => {
          const place = given.indexOf(id);
          return (
            <Button
              key={id}
              aria-pressed={place >= 0}
              onClick={() => onChange(place >= 0 ? given.filter((one) => one !== id) : [...given, id])}
            >
              <span className={cn('num w-4', place < 0 && 'text-ink-3')}>{place < 0 ? '–' : place + 1}</span>
              {text}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
