'use client';
import type { PolicyState } from '@verbslab/protocol';
import { policyName, policyText } from '@verbslab/report/policies';
import { cn } from '../../ui/cn';
import { Explained } from '../../ui/explained';

/**
 * What a queue pair does that is not the default, with what is not standard about it. `explained`: keyboard and touch
 * also get the explanation.
 */
export function PolicyBadge({
  policy,
  explained = false,
  className,
}: {
  policy: Pick<PolicyState, 'recovery' | 'congestion'>;
  explained?: boolean;
  className?: string;
}) {
  const meaning = policyText(policy);
  const name = policyName(policy);
  return (
    <span
      title={explained ? undefined : meaning}
      data-shows="policy"
      className={cn(
        'inline-block shrink-0 rounded-[3px] border border-line-strong px-1.5 font-sans text-12 whitespace-nowrap text-ink-2',
        className,
      )}
    >
      {explained ? (
        <Explained meaning={meaning} className="cursor-help">
          {name}
        </Explained>
      ) : (
        name
      )}
    </span>
  );
}
