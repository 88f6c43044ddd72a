import type { RunRow } from '@verbslab/protocol';
import type { RunList } from '../store/store.js';

/** A page of runs: whole records, or the rows of a list. */
type Listed<Run extends RunRow> = Omit<RunList, 'runs'> & { runs: Run[] };

/** Characters of the runs in one reply, unless the first alone has more. */
const MAX_CHARS = 8 * 1024 * 1024;

/**
 * The beginning of a list, short enough for one message: records hold results, and results of imported runs may be as
 * large as a bundle allows. The rest is the next page.
 */
export function fittingPage<Run extends RunRow>(list: Listed<Run>): Listed<Run> {
  let chars = 0;
  const end = list.runs.findIndex((run, index) => {
    chars += JSON.stringify(run).length;
    return index > 0 && chars > MAX_CHARS;
  });
  if (end < 0) return list;
  const runs = list.runs.slice(0, end);
  const least = runs.at(-1)!.number;
  return {
    ...list,
    runs,
    unreadable: list.unreadable.filter(({ number }) => number > least),
    more: true,
  };
}
