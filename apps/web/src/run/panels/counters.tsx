'use client';
import { plural } from '@verbslab/labs';
import { Fragment, useState } from 'react';
import { count } from '../../format/number';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Explained } from '../../ui/explained';
import { counterMeaning } from '../../model/counter-meanings';
import { countersView, type CounterRow } from '../../model/counters-view';
import type { Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['counters', 'state'];

/** Classes for several endpoints in a narrow panel: the name is on its own line above the values. */
const NARROW = '@max-md:grid';
const NAME_LINE = '@max-md:col-span-full';
const columnsOf = (endpoints: readonly string[]) => ({
  gridTemplateColumns: `repeat(${endpoints.length}, minmax(6.5rem, 1fr))`,
});

export default function CountersPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const [all, setAll] = useState(false);
  const { endpoints, rows } = countersView(view.model);
  if (rows.length === 0)
    return (
      <Waiting
        record={view.model.record}
        soon="Device counters appear here, with their change during the run."
        never="No counters were read."
      />
    );
  const several = endpoints.length > 1;
  const still = rows.filter(({ moved }) => !moved).length;
  const shown = all ? rows : rows.filter(({ moved }) => moved);
  const sinceOpened = endpoints.filter((_, i) => rows.some(({ cells }) => cells[i]?.change === null));
  return (
    <div
      className="thin-scroll @container h-full overflow-auto px-3 pb-2"
      tabIndex={0}
      role="group"
      aria-label="Counters"
    >
      <table className="w-full text-13">
        <caption className="h-6 text-left text-13 text-ink-3" data-shows="counted-since">
          Counted during the run
          {sinceOpened.length > 0 ? `; for ${sinceOpened.join(', ')}, since the device was opened` : ''}
        </caption>
        <thead className="sticky top-0 bg-panel text-12 text-ink-3">
          <tr className={cn(several && NARROW)} style={columnsOf(endpoints)}>
            <th scope="col" className={cn('h-7 pr-2 text-left font-normal', several && '@max-md:hidden')}>
              Counter
            </th>
            {endpoints.map((endpoint) => (
              <th key={endpoint} scope="col" className="pl-2 text-right font-normal">
                {endpoint}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {shown.map((row) => (
            <Row key={row.name} row={row} endpoints={endpoints} />
          ))}
        </tbody>
      </table>
      {still > 0 ? (
        <Button kind="quiet" shape="tight" className="-ml-2" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? 'Hide counters at zero' : `Show ${plural(still, 'counter')} at zero`}
        </Button>
      ) : null}
    </div>
  );
}

/** Name of a counter, with possible line breaks after underscores. */
function Name({ of }: { of: string }) {
  return (
    <span className="block text-left">
      {of.split(/(?<=_)/).map((part, i) => (
        <Fragment key={i}>
          {i > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

function Row(props: { row: CounterRow; endpoints: readonly string[] }) {
  const { row, endpoints } = props;
  const { name, cells, moved } = row;
  const several = endpoints.length > 1;
  const meaning = counterMeaning(name);
  return (
    <tr
      className={cn(!moved && 'text-ink-3', several && `${NARROW} @max-md:py-1`)}
      style={columnsOf(endpoints)}
      data-row={name}
    >
      <th
        scope="row"
        className={cn('num h-6 pr-2 text-left font-normal', several && NAME_LINE)}
        data-counter={name}
      >
        {meaning === undefined ? (
          <Name of={name} />
        ) : (
          <Explained meaning={meaning}>
            <Name of={name} />
          </Explained>
        )}
      </th>
      {cells.map((cell, i) => (
        <td key={i} className="num pl-2 text-right" data-shows="counter" data-endpoint={endpoints[i]}>
          {cell === null ? '–' : count(cell.change ?? cell.now)}
        </td>
      ))}
    </tr>
  );
}
