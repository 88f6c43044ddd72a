import type { ReactNode } from 'react';
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

/** Name and figure, one above the other. */
export function LabelledFigure({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-16">{children}</dd>
    </div>
  );
}
