'use client';
import { isFinal, MAX_SAMPLED } from '@verbslab/protocol';
import { Fragment, useState } from 'react';
import { usePaused, useTopics } from '../../connection/use-session';
import { count, sig3 } from '../../format/number';
import { queueList, type ListedQueue } from '../../model/queue-list';
import type { RunModel, Topic } from '../../model/run-model';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { DataTable } from '../../ui/data-table';
import { QueueChart } from '../queues/queue-chart';
import { QueueTable } from '../queues/queue-table';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['queues', 'objects', 'series', 'state'];

/** Occupancy of each queue, from the device: now, and over time for a chosen one. */
export default function QueuesPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, 'chart');
  const paused = usePaused(view);
  const { model } = view;
  const live = !isFinal(model.record.state) && !paused;
  const [chosen, setChosen] = useState<string>();
  const list = queueList(model);
  const shown =
    list.rows.find(({ key }) => key === chosen) ?? list.rows.find(({ fill }) => fill.is === 'known');
  if (list.rows.length === 0)
    return (
      <Waiting
        record={model.record}
        soon="The queues of the program appear here as they are made."
        never="No device sampled queues of this run."
      />
    );
  return (
    <div className="px-3 pb-2 lg:grid lg:min-h-0 lg:flex-1 lg:grid-cols-2 lg:gap-x-6 lg:overflow-hidden">
      <div
        className="thin-scroll overflow-x-auto lg:min-h-0 lg:overflow-auto"
        tabIndex={0}
        role="group"
        aria-label="Queues"
      >
        <When sampled={list.sampled} over={list.over} live={live} />
        <QueueTable
          rows={list.rows}
          several={new Set(list.rows.map(({ endpoint }) => endpoint)).size > 1}
          chosen={shown?.key}
          onChoose={setChosen}
        />
        {list.more > 0 ? (
          <p className="mt-1 text-12 text-ink-3" data-shows="queues-more">
            {count(list.more)} more are not listed.
          </p>
        ) : null}
        {list.grouped.length > 0 ? (
          <p className="mt-1 text-12 text-ink-3">
            <span data-words>
              A sample names {MAX_SAMPLED} queues of each kind: the fullest, and of receive queues the
              emptiest. It groups the rest:
            </span>{' '}
            {list.grouped.map(({ kind, queues, used, size }, i) => (
              <Fragment key={kind}>
                {i > 0 ? ', ' : ''}
                <span data-shows="queues-grouped" data-queue={kind}>
                  {count(queues)} {kind}s with {count(used)} / {count(size)}
                </span>
              </Fragment>
            ))}
            .
          </p>
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col max-lg:mt-2 max-lg:h-64">
        {shown?.fill.is === 'known' ? (
          <OverTime queue={shown} model={model} live={live} table={table} />
        ) : null}
      </div>
    </div>
  );
}

/** Time of the latest sample, in words. */
function When({ sampled, over, live }: { sampled: number | null; over: boolean; live: boolean }) {
  if (sampled === null) return <p className="text-12 text-ink-3">Not sampled yet</p>;
  if (live && !over)
    return <p className="text-12 text-ink-3">Now: sampled ten times per second while something changes</p>;
  return (
    <p className="text-12 text-ink-3" data-shows="queues-when">
      Last sample with a queue: {sig3(sampled / 1e9)} s{over ? '. All were destroyed since.' : ''}
    </p>
  );
}

function OverTime(props: { queue: ListedQueue; model: RunModel; live: boolean; table: boolean }) {
  const { queue, model, live, table } = props;
  const track = model.queues.track(queue);
  if (track === null) return null;
  const end = Math.max(model.stills.latest, model.queues.latest(queue.endpoint)?.t ?? 0);
  if (table)
    return (
      <DataTable
        shows="queue-series"
        caption={`${queue.name} over time`}
        head={['time, s', 'in it']}
        rows={track.fills.map(({ t, fill }) => [
          sig3(t / 1e9),
          typeof fill === 'string' ? 'not known' : count(fill.used),
        ])}
      />
    );
  return (
    <>
      <h3 className="text-13 font-medium" data-words>
        <span className="num">{queue.name}</span> over time
      </h3>
      <div className="chart min-h-0 flex-1">
        <QueueChart name={queue.name} track={track} end={end} live={live} />
      </div>
    </>
  );
}
