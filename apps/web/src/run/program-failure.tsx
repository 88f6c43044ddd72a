'use client';
import type { ErrorInfo } from '@verbslab/protocol';
import { firstProblem, problemList } from '@verbslab/report/failure';
import type { RunView } from '../connection/run-view';
import { FailureNote } from '../ui/states';
import type { Topic } from '../model/run-model';
import { useTopics } from '../connection/use-session';

const TOPICS: readonly Topic[] = ['notes', 'trace', 'record'];

/** Failure of a program, with the first error that explains it. */
export function ProgramFailure({ view, error }: { view: RunView; error: ErrorInfo }) {
  useTopics(view, TOPICS);
  const first = firstProblem(problemList(view.model));
  return (
    <div className="mt-3" data-shows="program-failure">
      <FailureNote
        failure={{
          what: error.message,
          why: first === null ? undefined : `First error: ${first.text}`,
          cure: first === null ? error.cure : undefined,
          detail: error.detail,
        }}
        details="What the agent knows"
        action={
          first === null ? undefined : (
            <a
              href={`#${first.id}`}
              className="inline-flex min-h-8 items-center text-13 text-accent hover:underline pointer-coarse:min-h-11"
            >
              Show the error
            </a>
          )
        }
      />
    </div>
  );
}
