import type { Standing } from '../../model/lab-map';
import { cn } from '../../ui/cn';

const LOOK: Readonly<Record<Standing, string>> = {
  done: 'border-2 border-accent bg-accent',
  ready: 'border-2 border-accent bg-page',
  later: 'border border-line-strong bg-page',
};

/** Place of a lab on the map: filled, a thick ring, or a thin one. */
export function StandingDot({ standing, className }: { standing: Standing | null; className?: string }) {
  return (
    <span
      aria-hidden
      data-dot
      className={cn('block size-3 shrink-0 rounded-full', LOOK[standing ?? 'later'], className)}
    />
  );
}
