'use client';
import { bytes, count, text } from '../../format/number';
import type { Topic } from '../../model/run-model';
import type { Traffic } from '../../model/traffic';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['traffic', 'objects', 'record', 'state'];
const head = 'h-7 px-2 text-right font-normal first:pl-0 first:text-left';
const cell = 'num h-10 px-2 text-right text-12 first:pl-0 first:text-left';

/** Matrix of posted requests: rows are the posting processes, columns their peers. */
export default function TrafficPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const { model } = view;
  const { processes, cells, elsewhere } = model.traffic.matrix(model.endpoints, model.objects);
  if (!cells.some((row) => row.some(Boolean))) {
    return (
      <Waiting
        record={model.record}
        soon="How many requests each process posts to each other process appears here."
        never="No work request was posted to a peer."
      />
    );
  }
  const columns = elsewhere ? [...processes, 'outside this run'] : processes;
  const most = Math.max(...cells.flat().map((one) => one?.bytes ?? 0));
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-processes={processes.length}>
      <p className="min-h-6 px-3 text-13 text-ink-3">
        Requests that each process of this run (row) posted to each process (column), and their payload
      </p>
      <div
        className="thin-scroll min-h-0 flex-1 overflow-auto px-3"
        tabIndex={0}
        role="group"
        aria-label="Message matrix"
      >
        <table className="h-full w-full table-fixed">
          <thead className="sticky top-0 bg-panel text-12 text-ink-3">
            <tr>
              <th scope="col" className={head}>
                From / to
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" className={head}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {processes.map((name, row) => (
              <tr key={name} data-from={name}>
                <th scope="row" className={`${cell} font-normal text-ink-3`}>
                  {name}
                </th>
                {columns.map((to, column) => (
                  <Cell key={to} to={to} traffic={cells[row]![column]} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Cell with a background that is darker for more payload. */
function Cell({ to, traffic, most }: { to: string; traffic: Traffic | undefined; most: number }) {
  if (!traffic) return <td className={`${cell} text-ink-3`}>–</td>;
  const share = most === 0 ? 0 : Math.round((traffic.bytes / most) * 20);
  return (
    <td
      className={cell}
      style={{ background: `color-mix(in oklab, var(--rdma) ${share}%, transparent)` }}
      data-to={to}
      data-messages={traffic.messages}
      data-bytes={traffic.bytes}
    >
      <div data-shows="traffic-messages">{count(traffic.messages)}</div>
      <div className="text-ink-2" data-shows="traffic-bytes">
        {text(bytes(traffic.bytes))}
      </div>
    </td>
  );
}
