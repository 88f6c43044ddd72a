'use client';
import { cn } from '../ui/cn';
import { useAgent } from './store';

/** Word and mark; the banner below the top bar explains when something is wrong. */
export function ConnectionState() {
  const status = useAgent((s) => s.status);
  const word = { connecting: 'Connecting', open: 'Connected', lost: 'Disconnected' }[status];
  return (
    <span
      role="status"
      data-status={status}
      className={cn(
        'flex shrink-0 items-center gap-2 text-13',
        status === 'lost' ? 'text-error-ink' : 'text-ink-2',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'size-2',
          status === 'open' && 'rounded-full bg-ok-ink',
          status === 'connecting' && 'rounded-full border border-ink-3',
          status === 'lost' && 'bg-error',
        )}
      />
      <span className="max-sm:sr-only">{word}</span>
    </span>
  );
}
