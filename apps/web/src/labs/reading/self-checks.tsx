'use client';
import { isNear, readNumber, type SelfCheck } from '@verbslab/labs';
import { Check, Dices, X } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { request, useAgent } from '../../connection/store';
import { Button } from '../../ui/button';
import { Gloss } from '../../ui/gloss';

function isRight(check: SelfCheck, given: string): boolean {
  if (check.kind === 'choice') return given === check.answer;
  const value = readNumber(given, check.unit);
  return value !== null && isNear(value, check.answer, check.tolerance);
}

/** Two or three questions with the numbers of a set; the next set asks the same with other numbers. */
export function SelfChecks({ lab, sets }: { lab: string; sets: readonly (readonly SelfCheck[])[] }) {
  const answers = useAgent((s) => s.progress?.find((one) => one.lab === lab)?.checks);
  const [set, setSet] = useState(0);
  const list = sets[set % sets.length] ?? [];
  const varies = list.some(({ kind }) => kind === 'number');
  return (
    <>
      {varies ? (
        <Button onClick={() => setSet(set + 1)}>
          <Dices size={14} aria-hidden />
          Ask with other numbers
        </Button>
      ) : null}
      <ol className="mt-3 space-y-6">
        {list.map((check, i) => (
          // The set in the key resets the input: other numbers make another question.
          <Question
            key={`${set} ${check.id}`}
            lab={lab}
            check={check}
            number={i + 1}
            answered={answers?.some(({ id, right }) => id === check.id && right) ?? false}
          />
        ))}
      </ol>
    </>
  );
}

/**
 * Sends the answer to the agent, which keeps it. While the agent is gone, the page still judges but nothing is kept.
 */
function keep(lab: string, check: string, right: boolean): void {
  request('progress.answer', { lab, check, right }).catch(() => undefined);
}

function Question(props: {
  lab: string;
  check: SelfCheck;
  number: number;
  /** True if it was ever answered correctly, with these numbers or others. */
  answered: boolean;
}) {
  const { lab, check, number, answered } = props;
  const id = useId();
  const [given, setGiven] = useState('');
  const [verdict, setVerdict] = useState<'right' | 'wrong' | 'unread' | null>(null);
  const [worked, setWorked] = useState(false);
  function answer(e: FormEvent) {
    e.preventDefault();
    const unread = check.kind === 'number' && readNumber(given, check.unit) === null;
    if (given === '' || unread) return setVerdict('unread');
    const right = isRight(check, given);
    setVerdict(right ? 'right' : 'wrong');
    keep(lab, check.id, right);
  }
  function change(value: string) {
    setGiven(value);
    setVerdict(null);
  }
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)]" data-self-check={check.id}>
      <span className="num text-ink-3">{number}</span>
      <form onSubmit={answer}>
        <p id={id} className="max-w-[60ch]">
          <Gloss>{check.text}</Gloss>
        </p>
        {check.kind === 'number' ? (
          <span className="mt-2 flex items-center gap-2">
            <input
              type="text"
              inputMode="decimal"
              autoComplete="off"
              aria-labelledby={id}
              value={given}
              onChange={(e) => change(e.target.value)}
              className="num h-9 w-40 rounded-[4px] border border-line-strong bg-panel px-2.5 pointer-coarse:h-11"
            />
            <span className="unit text-13">{check.unit}</span>
          </span>
        ) : (
          <div role="radiogroup" aria-labelledby={id} className="mt-1 flex flex-col">
            {check.options.map((option) => (
              <label key={option.id} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
                <input
                  type="radio"
                  name={id}
                  checked={given === option.id}
                  onChange={() => change(option.id)}
                  className="size-4 shrink-0 accent-accent"
                />
                {option.text}
              </label>
            ))}
          </div>
        )}
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <Button type="submit">Check</Button>
          <Button kind="quiet" aria-expanded={worked} onClick={() => setWorked(!worked)}>
            {worked ? 'Hide the worked answer' : 'Show the worked answer'}
          </Button>
          <span
            role="status"
            data-verdict={verdict ?? undefined}
            className="flex items-center gap-1.5 text-13"
          >
            {verdict === null && answered ? 'Answered right before.' : <Verdict verdict={verdict} />}
          </span>
        </div>
        {worked || verdict === 'right' ? (
          <p className="mt-2 max-w-[60ch] border-l-2 border-line-strong pl-3 text-ink-2">
            <Gloss>{check.worked}</Gloss>
          </p>
        ) : null}
      </form>
    </li>
  );
}

function Verdict({ verdict }: { verdict: 'right' | 'wrong' | 'unread' | null }) {
  switch (verdict) {
    case 'right':
      return (
        <>
          <Check size={15} className="text-ok-ink" aria-hidden />
          Right.
        </>
      );
    case 'wrong':
      return (
        <>
          <X size={15} className="text-error-ink" aria-hidden />
          Not right. Try again, or show the worked answer.
        </>
      );
    case 'unread':
      return 'Answer first.';
    case null:
      return null;
  }
}
