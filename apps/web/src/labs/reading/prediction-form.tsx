'use client';
import type { Prediction } from '@verbslab/protocol';
import { useId } from 'react';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';
import { guessOf, type Guessing } from './guesses';

interface PredictionFormProps {
  list: readonly Prediction[];
  given: Guessing;
  onChange: (id: string, guess: Guessing[string]) => void;
}

/** Questions that are on the first screen. */
const FIRST = 2;
/** Options that are buttons; a longer list is a menu, so that Run stays in sight. */
const FEW_OPTIONS = 6;

/** Questions asked before the run. All answers are optional. */
export function PredictionForm(props: PredictionFormProps) {
  const { list } = props;
  const more = list.slice(FIRST);
  return (
    <section aria-labelledby="predict">
      <h2 id="predict" className="text-14 font-semibold">
        Your prediction
      </h2>
      <Questions {...props} list={list.slice(0, FIRST)} />
      {more.length > 0 ? (
        <details data-fold="questions">
          <summary className="inline-flex min-h-8 items-center text-13 text-accent underline underline-offset-4 pointer-coarse:min-h-11">
            {more.length === 1 ? 'One more question' : `${more.length} more questions`}
          </summary>
          <Questions {...props} list={more} />
        </details>
      ) : null}
    </section>
  );
}

function Questions({ list, given, onChange }: PredictionFormProps) {
  return list.map((one) => (
    <fieldset key={one.id} aria-label={one.text} className="mt-2">
      <p className="mb-0.5">
        <Gloss>{one.text}</Gloss>
      </p>
      <Answer prediction={one} given={given[one.id]} onChange={(guess) => onChange(one.id, guess)} />
    </fieldset>
  ));
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
  if (prediction.kind === 'choice' && prediction.options.length > FEW_OPTIONS)
    return (
      <select
        aria-label={prediction.text}
        value={given === undefined ? '' : String(given)}
        onChange={(e) => onChange(e.target.value)}
        className="h-9 w-full rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        <option value="">Choose</option>
        {prediction.options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.text}
          </option>
        ))}
      </select>
    );
  if (prediction.kind === 'choice')
    return (
      <div className="flex flex-col">
        {prediction.options.map((option) => (
          <label
            key={option.id}
            className="flex min-h-7 items-center gap-2 leading-5 pointer-coarse:min-h-11"
          >
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
