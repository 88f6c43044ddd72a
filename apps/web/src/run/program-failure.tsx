'use client';
import type { ErrorInfo } from '@verbslab/protocol';
import { firstProblem, problemList, type FirstProblem } from '@verbslab/report/failure';
import { lazyPart } from '../connection/lazy-part';
import type { RunView } from '../connection/run-view';
import { FailureNote } from '../ui/states';
import { Words } from '../ui/words';
import type { Topic } from '../model/run-model';
import { useTopics } from '../connection/use-session';

const FailedView = lazyPart(async () => (await import('./standing/failed-view')).default);

const TOPICS: readonly Topic[] = ['notes', 'trace', 'record'];

/**
 * Failure of a program: the first error that explains it comes first. `follows`: a standstill above explains it, so a line
 * is enough.
 */
export function ProgramFailure(props: { view: RunView; error: ErrorInfo; follows?: boolean }) {
  const { view, error, follows = false } = props;
  useTopics(view, TOPICS);
  const first = firstProblem(problemList(view.model));
  if (follows)
    return (
      <p className="mt-2 flex flex-wrap items-center gap-x-4 text-13" data-shows="program-failure">
        {first === null ? null : (
          <>
            <span className="wrap-anywhere">
              <Words>{`Also reported: ${first.text}`}</Words>
            </span>
            <ErrorLink id={first.id} />
          </>
        )}
        <span className="text-ink-2">{error.message}</span>
      </p>
    );
  return (
    <div className="mt-2" data-shows="program-failure">
      {first === null ? (
        <FailureNote
          failure={{ what: error.message, cure: error.cure, detail: error.detail }}
          details="What the agent knows"
        />
      ) : (
        <>
          <FirstCause first={first} error={error} />
          <FailedView first={first} view={view} />
        </>
      )}
    </div>
  );
}

function FirstCause({ first, error }: { first: FirstProblem; error: ErrorInfo }) {
  const { text, more, cure, id } = first;
  return (
    <div role="alert" className="border-l-[3px] border-error bg-error-wash px-4 py-3">
      <p className="text-16 font-medium wrap-anywhere text-error-ink md:text-20">
        <Words>{`First cause: ${text}`}</Words>
      </p>
      <p className="mt-1 max-w-[110ch] text-13 wrap-anywhere">
        <Words>{more.join(' ')}</Words>{' '}
        <strong className="font-semibold">
          <Words>{cure}</Words>
        </strong>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 text-13">
        <ErrorLink id={id} />
        <span className="text-ink-2">{error.message}</span>
      </p>
    </div>
  );
}

const ErrorLink = ({ id }: { id: string }) => (
  <a
    href={`#${id}`}
    className="inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
  >
    Show the error
  </a>
);
