'use client';
import { useTour } from './tour-store';

/** Link in the text of the home page for new visitors. */
export function TakeTour() {
  const start = useTour((s) => s.start);
  return (
    <button
      type="button"
      onClick={start}
      className="text-accent underline hover:no-underline pointer-coarse:min-h-11"
    >
      Take the tour, in under a minute
    </button>
  );
}
