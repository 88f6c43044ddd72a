import { cn } from './cn';
import type { Quantity } from '../format/number';

/** A figure with its unit beside it, muted. */
export function Figure({ q, className }: { q: Quantity; className?: string }) {
  return (
    <span className={cn('num whitespace-nowrap', className)}>
      {q.value}
      {q.unit ? <span className="unit">&nbsp;{q.unit}</span> : null}
    </span>
  );
}
