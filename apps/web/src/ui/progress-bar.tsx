import { cn } from './cn';

interface ProgressBarProps {
  label: string;
  /** Progress, up to `max`; undefined while unknown. */
  value: number | undefined;
  max?: number;
  /** Filled part of the bar, from 0 to 1. */
  part: number;
  /** Classes for the width. */
  width?: string;
}

export function ProgressBar(props: ProgressBarProps) {
  const { label, value, max = 100, part, width = 'w-40 shrink-0 sm:w-64' } = props;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className={cn('h-1 overflow-hidden rounded-full bg-hover', width)}
    >
      <div className="h-full bg-accent" style={{ width: `${part * 100}%` }} />
    </div>
  );
}
