import { Button } from '../ui/button';
import { ProgressBar } from '../ui/progress-bar';
import type { Reading } from './opened';

/** Progress of reading a file, with a button to cancel. */
export function ReadingBar({ reading: { name, part, cancel } }: { reading: Reading }) {
  const percent = part === null ? undefined : Math.floor(100 * part);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-13">
      <span className="min-w-0 wrap-anywhere">
        Reading {name}… <span className="num">{percent === undefined ? '' : `${percent} %`}</span>
      </span>
      <ProgressBar
        label={`Reading ${name}`}
        value={percent}
        part={(percent ?? 0) / 100}
        width="min-w-24 flex-1"
      />
      <Button size="small" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
