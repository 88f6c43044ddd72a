import type { PathCheck, PathStep } from '@verbslab/protocol';
import { Check, Minus, X } from 'lucide-react';
import { count, secondsText, when } from '../../format/number';
import { cn } from '../../ui/cn';
import { Words } from '../../ui/words';

const MARK: Record<PathStep['state'], { icon: typeof Check; word: string; ink: string }> = {
  ok: { icon: Check, word: 'ok', ink: 'text-ok-ink' },
  failed: { icon: X, word: 'failed', ink: 'text-error-ink' },
  skipped: { icon: Minus, word: 'skipped', ink: 'text-ink-3' },
};

/** Duration of a step. Most take milliseconds, the agent's resolution. */
function tookText(seconds: number): string {
  if (seconds >= 1) return secondsText(seconds);
  const ms = Math.round(seconds * 1000);
  return ms === 0 ? '< 1\u00a0ms' : `${count(ms)}\u00a0ms`;
}

/** Result of a path check, step by step, with the fix for a failed step. */
export function PathResult({ check }: { check: PathCheck }) {
  return (
    <div data-path={check.ok ? 'ok' : 'failed'} className="mt-4">
      <div role="status">
        <h3 className="font-medium">
          <span className="num">{check.from}</span> and <span className="num">{check.to}</span>{' '}
          {check.ok ? 'can reach each other over RDMA' : 'cannot reach each other over RDMA'}
          <span className="ml-2 text-12 font-normal text-ink-3">{when(check.checkedAt)}</span>
        </h3>
      </div>
      <ol className="mt-2 max-w-[60rem] divide-y border-y">
        {check.steps.map((step) => {
          const { icon: Icon, word, ink } = MARK[step.state];
          return (
            <li
              key={step.id}
              className="grid grid-cols-[1fr_auto] gap-x-3 py-2 sm:grid-cols-[5.5rem_1fr_auto]"
            >
              <span className={cn('inline-flex items-center gap-1.5 self-start', ink)}>
                <Icon size={14} aria-hidden />
                {word}
              </span>
              <span className="min-w-0 max-sm:order-last max-sm:col-span-2">
                <span className="block font-medium">{step.title}</span>
                <span className="block text-13 break-words text-ink-2">{step.detail}</span>
                {step.cure ? (
                  <span className="mt-1 block">
                    <Words>{step.cure}</Words>
                  </span>
                ) : null}
              </span>
              <span className="num text-13 text-ink-3">
                {step.state === 'skipped' ? '' : tookText(step.seconds)}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
