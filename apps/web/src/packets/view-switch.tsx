'use client';
import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { Button, PRESSED } from '../ui/button';

export type CaptureView = 'list' | 'timeline';

const VIEWS: readonly [CaptureView, string][] = [
  ['list', 'List'],
  ['timeline', 'Timeline'],
];

/** View of the capture, from the address. */
export function useCaptureView(): { view: CaptureView; setView: (view: CaptureView) => void } {
  const view = useSearchParams().get('view') === 'timeline' ? 'timeline' : 'list';
  const router = useRouter();
  const setView = useCallback(
    (to: CaptureView) => {
      const next = new URLSearchParams(location.search);
      if (to === 'list') next.delete('view');
      else next.set('view', to);
      router.replace(`/packets?${next}`, { scroll: false });
    },
    [router],
  );
  return { view, setView };
}

export function ViewSwitch({ view, onView }: { view: CaptureView; onView: (view: CaptureView) => void }) {
  return (
    <div role="group" aria-label="View of the packets" className="flex gap-1">
      {VIEWS.map(([one, label]) => (
        <Button
          key={one}
          size="small"
          aria-pressed={view === one}
          className={PRESSED}
          onClick={() => onView(one)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
