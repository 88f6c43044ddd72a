'use client';
import { isFinal } from '@verbslab/protocol';
import type { RunView } from '../../connection/run-view';
import { useTopics } from '../../connection/use-session';
import { count, sig3 } from '../../format/number';
import { queueList } from '../../model/queue-list';
import type { Topic } from '../../model/run-model';
import { QueueTable } from './queue-table';

const TOPICS: readonly Topic[] = ['queues', 'objects', 'state', 'standstill'];
/** Most rows beside the banner; the panel has them all. */
const ROWS = 6;

/** Queues of a program that stands still, beside what it waits for. */
export default function StandingQueues({ view }: { view: RunView }) {
  useTopics(view, TOPICS);
  const { rows, more, sampled } = queueList(view.model);
  if (sampled === null) return null;
  const ended = isFinal(view.model.record.state);
  const left = more + Math.max(0, rows.length - ROWS);
  return (
    <section aria-labelledby="standing-queues">
      <h2 id="standing-queues" className="text-14 font-semibold">
        {ended ? 'Queues at the end' : 'Queues now'}
      </h2>
      {ended ? (
        <p className="text-12 text-ink-3" data-shows="queues-when">
          from the device, last sample at {sig3(sampled / 1e9)} s
        </p>
      ) : (
        <p className="text-12 text-ink-3">from the device, ten times per second</p>
      )}
      <QueueTable
        rows={rows.slice(0, ROWS)}
        several={new Set(rows.map(({ endpoint }) => endpoint)).size > 1}
      />
      <a
        href="#panel-queues"
        className="inline-flex min-h-8 items-center text-13 text-accent underline pointer-coarse:min-h-11"
        {...(left > 0 ? { 'data-shows': 'queues-more' } : {})}
      >
        {left > 0 ? `${count(left)} more, and over time` : 'Over time'}
      </a>
    </section>
  );
}
