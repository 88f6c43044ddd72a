'use client';
import { noun, type ClinicCase } from '@verbslab/labs';
import { Check, X } from 'lucide-react';
import type { LabResults } from '@verbslab/protocol';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';
import { Kbd } from '../../ui/kbd';
import type { Solved } from './game';

/** Five answers that the symptoms allow, and the button that gives one. */
export function DiagnosisForm({
  answers,
  onAnswer,
}: {
  answers: readonly ClinicCase[];
  onAnswer: (id: string | null) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (chosen !== null) onAnswer(chosen);
      }}
      data-words
    >
      <fieldset>
        <legend className="mb-2 font-semibold">Your diagnosis</legend>
        <div className="divide-y border">
          {answers.map(({ id, name }) => (
            <label
              key={id}
              className={cn(
                'flex min-h-10 cursor-pointer items-center gap-2.5 px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
                chosen === id ? 'bg-accent-wash' : 'hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name="diagnosis"
                value={id}
                checked={chosen === id}
                onChange={() => setChosen(id)}
                className="accent-accent"
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-3 flex items-center gap-2">
        <Button type="submit" kind="primary" disabled={chosen === null}>
          Answer
        </Button>
        <Kbd keys="Enter" />
        <Button kind="quiet" className="ml-auto" onClick={() => onAnswer(null)}>
          Give up
        </Button>
      </div>
    </form>
  );
}

/** The diagnosis after an answer: what it was, why, and what became of the program without the mistake. */
export function Diagnosed(props: {
  solved: Solved;
  one: ClinicCase;
  /** Name of a wrong answer; null if it was right, or none was given. */
  wrong: string | null;
  results: LabResults;
  next: ReactNode;
}) {
  const { solved, one, wrong, results, next } = props;
  const parts = new Map(
    (results.tables.diagnosis ?? []).map(({ part, text }) => [String(part), String(text)]),
  );
  const fixed = (results.tables.symptoms ?? []).find(({ version }) => version === 'Without it');
  return (
    <section aria-labelledby="diagnosed">
      <h2 id="diagnosed" className="flex items-start gap-2 text-16 font-semibold" aria-live="polite">
        {solved.right ? (
          <Check size={18} aria-label="Right:" className="mt-1 shrink-0 text-ok-ink" />
        ) : (
          <X size={18} aria-label="It was:" className="mt-1 shrink-0 text-error-ink" />
        )}
        {one.name}
      </h2>
      {wrong === null ? null : (
        <p className="mt-1 text-13 text-ink-2" data-words>
          Not “{wrong}”.
        </p>
      )}
      <p className="prose mt-2 text-ink-2" data-words>
        <Gloss>{parts.get('Explanation') ?? ''}</Gloss>
      </p>
      <dl className="mt-3 divide-y border-y text-13">
        {[
          ['Cause', parts.get('Cause')],
          ['Fix', parts.get('Fix')],
        ].map(([name, value]) => (
          <div key={name} className="grid grid-cols-[5.5rem_1fr] py-1.5" data-words>
            <dt className="text-ink-3">{name}</dt>
            <dd>
              <Gloss>{value ?? 'not recorded'}</Gloss>
            </dd>
          </div>
        ))}
        {fixed ? (
          <div className="grid grid-cols-[5.5rem_1fr] py-1.5">
            <dt className="text-ink-3">With the fix</dt>
            <dd data-shows="clinic-fixed">
              {fixed.works === true ? 'It works. ' : 'It does not work either. '}
              {String(fixed.seen ?? '')}
            </dd>
          </div>
        ) : null}
      </dl>
      <p className="mt-3 text-13" data-words>
        <b className="num font-semibold">+{solved.points}</b> {noun(solved.points, 'point')}
      </p>
      {next}
    </section>
  );
}
