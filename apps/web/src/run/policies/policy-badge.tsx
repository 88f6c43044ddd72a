'use client';
import { policyName, policyText, type Policy } from '@verbslab/report/policies';
import { Badge } from '../../ui/badge';
import { cn } from '../../ui/cn';

/**
 * What a queue pair does that is not the default, with what is not standard about it. `explained`: keyboard and touch
 * also get the explanation.
 */
export function PolicyBadge({
  policy,
  explained = false,
  className,
}: {
  policy: Policy;
  explained?: boolean;
  className?: string;
}) {
  return (
    <Badge
      name={policyName(policy)}
      meaning={policyText(policy)}
      explained={explained}
      className={cn('border border-line-strong font-sans text-ink-2', className)}
      data={{ 'data-shows': 'policy' }}
    />
  );
}
