import { Button } from '../ui/button';
import type { Reading } from './opened';

/** How far a file is read, with the way out. */
export function ReadingBar({ reading: { name, part, cancel } }: { reading: Reading }) {
  const percent = part === null ? undefined : Math.floor(100 * part);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-13">
      <span className="min-w-0 wrap-anywhere">
        Reading {name}… <span className="num">{percent === undefined ? '' : `${percent} %`}</span>
      </span>
      <div
        role="progressbar"
        aria-label={`Reading ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1 min-w-24 flex-1 bg-hover"
      >
        <div className="h-full bg-accent" style={{ width: `${percent ?? 0}%` }} />
      </div>
      <Button size="small" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
