'use client';
import { isFinal } from '@verbslab/protocol';
import { infoToFailure } from '../../connection/failure';
import type { RunSession } from '../../connection/run-sessions';
import { useTopics } from '../../connection/use-session';
import type { Topic } from '../../model/run-model';
import { cn } from '../../ui/cn';
import { FailureNote } from '../../ui/states';
import type { LabParts } from './parts';

/** Characters from which an answer is set smaller, so that the picture below it stays where it is. */
const LONG = 200;

const TOPICS: readonly Topic[] = ['record', 'state'];

/** Under the question: the answer of the run, or its progress, then the run in one line. */
export function RunTop({ session, parts }: { session: RunSession; parts: LabParts }) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const { record } = view.model;
  const answer = record.result?.answer;
  const final = isFinal(record.state);
  return (
    <>
      {answer === undefined ? null : (
        <p
          className={cn(
            'font-medium text-pretty max-sm:text-16',
            answer.length > LONG ? 'text-16' : 'text-20',
          )}
          data-answer
          data-shows="answer"
        >
          {answer}
        </p>
      )}
      {/* A run in steps waits most of the time: what it waits for is beside its line. */}
      <div
        className={cn(
          record.mode === 'step' && 'flex flex-wrap items-center gap-x-4 md:flex-row-reverse md:justify-end',
        )}
      >
        {final ? null : <parts.Status session={session} />}
        <parts.Line session={session} />
      </div>
      <p role="status" className="sr-only">
        Run {record.number}: {record.state}
      </p>
      {final && record.error && record.state !== 'cancelled' ? (
        <FailureNote failure={infoToFailure(record.error)} className="mt-2" />
      ) : null}
    </>
  );
}
