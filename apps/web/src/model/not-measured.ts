import type { LatencySnapshot } from '@verbslab/charts/data';
import { plural } from '@verbslab/labs';
import { count } from '../format/number';
import type { RunModel } from './run-model';

/** Completions and requests without a latency, as a sentence; null if there are none. */
export function notMeasured(
  { receives, failed, untimed, measured }: LatencySnapshot,
  model: RunModel,
): string | null {
  const { dropped } = model.completions;
  let posted = 0;
  for (const { latest } of model.counters.values()) posted += latest.posted_sends ?? 0;
  // While details are missing, a request without a completion and one whose completion is missing look the same.
  const silent = dropped > 0 ? 0 : Math.max(0, posted - measured - failed - untimed);
  const parts = [
    silent > 0 ? `${plural(silent, 'send')} without a completion` : '',
    receives > 0 ? plural(receives, 'receive') : '',
    failed > 0 ? `${count(failed)} with an error` : '',
    untimed > 0 ? `${count(untimed)} whose post was not recorded` : '',
    dropped > 0 ? `${plural(dropped, 'completion')} whose details were not recorded` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `Not measured: ${parts.join(', ')}.`;
}
