'use client';
import type { StepQuestion } from '@verbslab/protocol';
import { Check, X } from 'lucide-react';
import { useId } from 'react';
import type { StepAnswer } from '../../model/step-answer';
import type { StepLog } from '../../model/step-log';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';
import { useGuess, useGuesses } from './step-guesses';

/** The question before a step. Answering is optional. */
export function AskStep({ run, step }: { run: string; step: StepLog }) {
  const { question } = step;
  const guess = useGuess(run, step.id);
  const choose = useGuesses((s) => s.guess);
  const name = useId();
  if (!question) return null;
  return (
    <fieldset data-question={step.id} aria-label={question.text}>
      <p className="mb-1 font-semibold text-pretty" data-words>
        <Gloss>{question.text}</Gloss>
      </p>
      {question.options.map(({ id, text }) => (
        <label
          key={id}
          className="flex min-h-7 items-center gap-2 leading-5 pointer-coarse:min-h-11"
          data-words
        >
          <input
            type="radio"
            name={name}
            value={id}
            checked={guess === id}
            onChange={() => choose(run, step.id, id)}
            className="size-4 shrink-0 accent-accent"
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

const textOf = ({ options }: StepQuestion, id: string | null): string =>
  options.find((one) => one.id === id)?.text ?? '';

/** What was predicted before the step, and what the run recorded. */
export function Verdict(props: { run: string; step: StepLog; question: StepQuestion; answer: StepAnswer }) {
  const { run, step, question, answer } = props;
  const guess = useGuess(run, step.id);
  const { right, counted } = answer;
  const held = right === null || guess === null ? null : guess === right;
  const Mark = held === null ? null : held ? Check : X;
  return (
    <div
      data-verdict={held === null ? 'none' : held ? 'right' : 'wrong'}
      className={cn(
        'border-l-2 pl-2 text-13',
        held === null ? 'border-line-strong' : held ? 'border-ok-ink' : 'border-error',
      )}
    >
      <p className="text-ink-3" data-words>
        {question.text}
      </p>
      <p className="mt-0.5" data-words>
        {Mark ? (
          <Mark
            size={14}
            aria-hidden
            className={cn('mr-1 inline align-[-2px]', held ? 'text-ok-ink' : 'text-error-ink')}
          />
        ) : null}
        {guess === null ? null : (
          <>
            You predicted:{' '}
            <b className={cn('font-semibold', held === false && 'line-through decoration-error')}>
              {textOf(question, guess)}
            </b>
            .{' '}
          </>
        )}
        {right === null ? (
          'What this run recorded does not decide it.'
        ) : held === true ? null : (
          <>
            {guess === null ? 'Answer' : 'It was'}: <b className="font-semibold">{textOf(question, right)}</b>
            .
          </>
        )}{' '}
        {right === null ? null : <Gloss>{question.why}</Gloss>}
      </p>
      {counted.length > 0 ? (
        <p className="mt-0.5 text-12 text-ink-3">
          Recorded in this run:{' '}
          <span data-shows="step-counted" data-step-counted={step.id}>
            {counted.join('; ')}
          </span>
          .
        </p>
      ) : null}
    </div>
  );
}
