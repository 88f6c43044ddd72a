import type { RunEventOf } from '@verbslab/protocol';
import { text, time } from '../format/number';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { Words } from '../ui/words';
import { showValue } from './value';
import { VerbName } from './verb-name';

/** Verbs calls in order: who, what with which arguments, what came of it, how long it took where that was measured. */
export function VerbTable({
  verbs,
  roleTitle,
  source,
}: {
  verbs: readonly RunEventOf<'verb'>[];
  roleTitle: (role: string) => string;
  /** A call as C to copy; null where it has none. */
  source?: (verb: RunEventOf<'verb'>) => string | null;
}) {
  return (
    <>
      <ol className="divide-y border-y">
        {verbs.map((v) => (
          <li
            key={v.seq}
            data-call={v.call}
            data-seq={v.seq}
            className={cn(
              'grid gap-x-3 py-1.5 text-13',
              source
                ? 'grid-cols-[1fr_auto_auto] sm:grid-cols-[4.5rem_1fr_auto_auto]'
                : 'grid-cols-[4.5rem_1fr_auto]',
            )}
          >
            <span className="text-ink-3" data-words>
              {v.endpoint ? roleTitle(v.endpoint) : ''}
            </span>
            <div
              className={cn(
                'num min-w-0 text-12 leading-5',
                source && 'max-sm:order-last max-sm:col-span-full',
              )}
              data-shows="verb"
            >
              <VerbName call={v.call} />
              <span className="text-ink-3">(</span>
              {Object.entries(v.args).map(([name, value], i) => (
                <span key={name} className="break-words">
                  {i > 0 ? <span className="text-ink-3">, </span> : null}
                  <span className="text-ink-2">{name}</span>
                  <span className="text-ink-3"> = </span>
                  {showValue(value, name)}
                </span>
              ))}
              <span className="text-ink-3">)</span>
              <span className={cn('block', v.error ? 'text-error-ink' : 'text-ink-2')}>
                {v.error ? (
                  <>
                    <Words>{`${v.error.message} ${v.error.cure}`}</Words>
                  </>
                ) : v.result === undefined ? null : (
                  <>
                    <span className="text-ink-3">returns </span>
                    {showValue(v.result)}
                  </>
                )}
              </span>
            </div>
            <span className="num text-right text-12 text-ink-3" data-shows="verb-time">
              {v.durationNs > 0 ? text(time(v.durationNs)) : null}
            </span>
            {source ? <CopyCall verb={v} source={source} /> : null}
          </li>
        ))}
      </ol>
      {verbs.some((v) => v.durationNs > 0) ? (
        <p className="prose mt-1.5 text-13 text-ink-3">
          Times cover the whole call as this lab’s program makes it, including what Node.js adds. The same
          call from C takes less.
        </p>
      ) : null}
    </>
  );
}

function CopyCall({
  verb,
  source,
}: {
  verb: RunEventOf<'verb'>;
  source: (verb: RunEventOf<'verb'>) => string | null;
}) {
  const c = source(verb);
  return (
    <span className="-my-1.5 w-8 pointer-coarse:w-11">
      {c === null ? null : <CopyButton source={() => c} label={`Copy ${verb.call} as C`} />}
    </span>
  );
}
