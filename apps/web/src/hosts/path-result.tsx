import type { PathCheck, PathStep } from '@verbslab/protocol';
import { Check, Minus, X } from 'lucide-react';
import { secondsText, when } from '../format/number';
import { cn } from '../ui/cn';
import { Words } from '../ui/words';

const MARK: Record<PathStep['state'], { icon: typeof Check; word: string; ink: string }> = {
  ok: { icon: Check, word: 'ok', ink: 'text-ok-ink' },
  failed: { icon: X, word: 'failed', ink: 'text-error-ink' },
  skipped: { icon: Minus, word: 'not tried', ink: 'text-ink-3' },
};

/** What a path check found, step by step, with the cure where one failed. */
export function PathResult({ check }: { check: PathCheck }) {
  return (
    <div data-path={check.ok ? 'ok' : 'failed'} className="mt-4">
      <div role="status">
        <h3 className="font-medium">
          <span className="num">{check.from}</span> to <span className="num">{check.to}</span>:{' '}
          {check.ok ? 'they reach each other over RDMA' : 'they do not reach each other over RDMA'}
          <span className="ml-2 text-12 font-normal text-ink-3">{when(check.checkedAt)}</span>
        </h3>
      </div>
      <ol className="mt-2 max-w-[60rem] divide-y border-y">
        {check.steps.map((step) => {
          const { icon: Icon, word, ink } = MARK[step.state];
          return (
            <li key={step.id} className="grid grid-cols-[5.5rem_1fr_auto] gap-x-3 py-2">
              <span className={cn('inline-flex items-center gap-1.5 self-start', ink)}>
                <Icon size={14} aria-hidden />
                {word}
              </span>
              <span className="min-w-0">
                <span className="block font-medium">{step.title}</span>
                <span className="block text-13 break-words text-ink-2">{step.detail}</span>
                {step.cure ? (
                  <span className="mt-1 block">
                    <Words>{step.cure}</Words>
                  </span>
                ) : null}
              </span>
              <span className="num text-13 text-ink-3">
                {step.state === 'skipped' ? '' : secondsText(step.seconds)}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
