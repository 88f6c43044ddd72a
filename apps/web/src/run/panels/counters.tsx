'use client';
import { count } from '../../format/number';
import { cn } from '../../ui/cn';
import { Explained } from '../../ui/term';
import { counterMeaning } from '../model/counter-meanings';
import { counterRows } from '../model/counters-view';
import type { Topic } from '../model/run-model';
import { useTopics } from '../use-session';
import type { PanelContentProps } from './types';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['counters'];

export default function CountersPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const rows = counterRows(view.model);
  if (rows.length === 0)
    return <Waiting>The counters of both devices appear here, and what the run added to them.</Waiting>;
  return (
    <div
      className="thin-scroll @container h-full overflow-auto px-3 pb-2"
      tabIndex={0}
      role="group"
      aria-label="Counters"
    >
      <table className="w-full text-13">
        <thead className="sticky top-0 bg-panel text-12 text-ink-3">
          <tr>
            <th scope="col" className="h-7 pr-2 text-left font-normal">
              Counter
            </th>
            <th scope="col" className="px-2 text-left font-normal">
              Endpoint
            </th>
            <th scope="col" className="pl-2 text-right font-normal @md:pr-2">
              In this run
            </th>
            <th scope="col" className="hidden pl-2 text-right font-normal @md:table-cell">
              In all
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((r) => (
            <tr key={`${r.endpoint} ${r.name}`} className={cn((r.change ?? r.now) === 0 && 'text-ink-3')}>
              <td className="num h-6 pr-2 wrap-anywhere" data-counter={r.name}>
                <Counter name={r.name} />
              </td>
              <td className="px-2">{r.endpoint}</td>
              <td className="num pl-2 text-right @md:pr-2" title={`${count(r.now)} in all`}>
                {count(r.change)}
              </td>
              <td className="num hidden pl-2 text-right @md:table-cell">{count(r.now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Counter({ name }: { name: string }) {
  const meaning = counterMeaning(name);
  return meaning === undefined ? name : <Explained meaning={meaning}>{name}</Explained>;
}
