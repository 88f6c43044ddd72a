import { plural } from '@verbslab/labs';
import { queueRows, sinceText, type QueueHistory } from '@verbslab/report/queues';
import { bold, muted, table } from './terminal.js';

/** Most queues that are printed of a process; JSON has all that were sampled. */
const PRINTED = 8;

/** The last known occupancy of each endpoint's queues, as data. */
export const queuesJson = (history: QueueHistory) =>
  history.endpoints.flatMap((endpoint) => {
    const last = history.latest(endpoint, { named: true });
    return last === null ? [] : [{ endpoint, t: last.t, ...last.sample }];
  });

/** A table of that occupancy, the fullest queue first. */
export function queueLines(history: QueueHistory): string[] {
  const several = history.endpoints.length > 1;
  return history.endpoints.flatMap((endpoint) => {
    const last = queueRows(history, endpoint);
    if (last === null) return [];
    const rows = last.rows.slice(0, PRINTED);
    const more = last.rows.length - rows.length + last.others.reduce((sum, { queues }) => sum + queues, 0);
    const head = [
      bold(`Queues${several ? ` of ${endpoint}` : ''}`),
      muted(`last sampled by the device at ${(last.t / 1e9).toFixed(3)} s`),
    ].join('  ');
    return [
      '',
      head,
      table(
        rows.map((row) => [row.name, `${row.used} / ${row.size}`, muted(sinceText(row))]),
        [1],
      ),
      ...(more > 0 ? [muted(`${plural(more, 'more queue')} not listed.`)] : []),
    ];
  });
}
