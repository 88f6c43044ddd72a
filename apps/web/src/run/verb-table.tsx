import type { RunEventOf } from '@verbslab/protocol';
import { text, time } from '../format/number';
import { cn } from '../ui/cn';
import { Words } from '../ui/words';
import { showValue } from './value';

/** Verbs calls in order: who, what with which arguments, what came of it, how long it took where that was measured. */
export function VerbTable({
  verbs,
  roleTitle,
}: {
  verbs: readonly RunEventOf<'verb'>[];
  roleTitle: (role: string) => string;
}) {
  return (
    <>
      <ol className="divide-y border-y">
        {verbs.map((v) => (
          <li
            key={v.seq}
            data-call={v.call}
            data-seq={v.seq}
            className="grid grid-cols-[4.5rem_1fr_auto] gap-x-3 py-1.5 text-13"
          >
            <span className="text-ink-3">{v.endpoint ? roleTitle(v.endpoint) : ''}</span>
            <div className="num min-w-0 text-12 leading-5" data-shows="verb">
              <span className="font-semibold text-ink">{v.call}</span>
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
          </li>
        ))}
      </ol>
      {verbs.some((v) => v.durationNs > 0) ? (
        <p className="prose mt-1.5 text-13 text-ink-3">
          Times cover the whole call, including Node’s overhead. The same call from C is faster.
        </p>
      ) : null}
    </>
  );
}
