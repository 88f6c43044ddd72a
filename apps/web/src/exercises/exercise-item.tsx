import { judge, type Exercise, type Verdict } from '@verbslab/labs/exercises';
import { EXERCISES_LAB } from '@verbslab/protocol';
import { useState, type FormEvent } from 'react';
import { request } from '../connection/store';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Gloss } from '../ui/gloss';
import { PageLink } from '../ui/page-link';
import { ExerciseField } from './exercise-field';
import { useSheet } from './sheet-store';

type Verdicts = Readonly<Record<string, Verdict>>;

/** Verdict on all fields together. */
function summary(verdicts: Verdicts): string {
  const all = Object.values(verdicts);
  if (all.every((one) => one === 'right')) return 'Right.';
  if (all.includes('wrong')) return 'Not right yet. Try again, or show the worked answer.';
  return all.every((one) => one === 'unread') ? 'Answer first.' : 'Some answers are missing.';
}

/** An exercise: its text, the fields to fill in, and the way to the answer. */
export function ExerciseItem(props: {
  exercise: Exercise;
  given: Readonly<Record<string, string>>;
  number: number;
  /** True if it was ever solved, with these numbers or others. */
  solved: boolean;
  printSolved: boolean;
}) {
  const { exercise, given, number, solved, printSolved } = props;
  const { id, title, text, fields, worked, measure } = exercise;
  const give = useSheet((s) => s.give);
  const renew = useSheet((s) => s.renew);
  const [verdicts, setVerdicts] = useState<Verdicts>({});
  const [shown, setShown] = useState(false);
  const checked = Object.keys(verdicts).length > 0;
  const right = checked && fields.every((one) => verdicts[one.id] === 'right');
  function check(e: FormEvent) {
    e.preventDefault();
    const now = Object.fromEntries(fields.map((one) => [one.id, judge(one, given[one.id] ?? '')]));
    setVerdicts(now);
    const all = Object.values(now);
    if (all.includes('unread')) return;
    // The agent keeps the verdict. While it is gone, the page still judges but nothing is kept.
    const body = { lab: EXERCISES_LAB, check: id, right: all.every((one) => one === 'right') };
    request('progress.answer', body).catch(() => undefined);
  }
  function change(field: string, value: string) {
    give(id, field, value);
    setVerdicts(({ [field]: _, ...rest }) => rest);
  }
  return (
    <li
      data-exercise={id}
      className="grid grid-cols-[2rem_minmax(0,1fr)] py-5 print:break-inside-avoid print:py-3"
    >
      <span className="num text-ink-3">{number}</span>
      <form onSubmit={check} aria-label={title}>
        <h3 className="font-medium">{title}</h3>
        <p className="mt-1 max-w-[72ch]">
          <Gloss>{text}</Gloss>
        </p>
        <div className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
          {fields.map((field) => (
            <ExerciseField
              key={field.id}
              field={field}
              alone={fields.length === 1}
              value={given[field.id] ?? ''}
              verdict={verdicts[field.id] ?? null}
              onChange={(value) => change(field.id, value)}
            />
          ))}
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-3 print:hidden">
          <Button type="submit">Check</Button>
          <Button kind="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide the worked answer' : 'Show the worked answer'}
          </Button>
          <Button kind="quiet" onClick={() => renew(id)}>
            {fields.some(({ kind }) => kind !== 'choice') ? 'Other numbers' : 'Clear'}
          </Button>
          <span
            role="status"
            data-verdict={right ? 'right' : checked ? 'open' : undefined}
            className="text-13"
          >
            {checked ? summary(verdicts) : solved ? 'Solved before.' : ''}
          </span>
        </div>
        <ol
          data-worked={shown || right || undefined}
          className={cn(
            'mt-3 max-w-[72ch] list-none space-y-1 border-l-2 border-line-strong pl-3 text-ink-2',
            shown || right ? 'print:hidden' : 'hidden',
            printSolved && 'print:block',
          )}
        >
          {worked.map((step) => (
            <li key={step}>
              <Gloss>{step}</Gloss>
            </li>
          ))}
        </ol>
        {measure ? (
          <p className="mt-2 text-13 print:hidden">
            Measure it:{' '}
            <PageLink href={`/labs/${measure.lab}`} className="text-accent underline underline-offset-4">
              {measure.text}
            </PageLink>
          </p>
        ) : null}
      </form>
    </li>
  );
}
