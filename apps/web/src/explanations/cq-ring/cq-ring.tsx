'use client';
import { useState } from 'react';
import { Button, PRESSED } from '../../ui/button';
import { Empty } from '../../ui/states';
import { Compared } from '../compared';
import type { ExplainedRun } from '../types';
import { empty, entriesOf, linesOf, poll, post, recordedPosts, sentenceOf, type Queue } from './model';
import { QueueRing } from './queue-ring';

export default function CqRing({ run }: { run: ExplainedRun }) {
  const entries = entriesOf(run.results);
  if (entries === null)
    return <Empty>This run did not record the size of its queue. Run the lab again.</Empty>;
  return <OfQueue key={entries} run={run} entries={entries} />;
}

function OfQueue({ run, entries }: { run: ExplainedRun; entries: number }) {
  // The first picture is the moment before the overrun.
  const [queue, setQueue] = useState<Queue>(() => post(empty(entries), entries));
  const lines = linesOf(run, queue);
  const unpolled = !queue.polledEarly && queue.polled === 0;
  return (
    <section
      aria-label="Completion queue"
      className="grid gap-x-10 gap-y-5 md:grid-cols-[auto_minmax(0,1fr)]"
    >
      <div>
        <QueueRing
          queue={queue}
          onPost={(count) => setQueue((old) => post(old, count))}
          onPoll={(count) => setQueue((old) => poll(old, count))}
        />
        <ul className="mx-auto mt-1 max-w-[300px] text-12 text-ink-2">
          <li>
            <Dot className="border-(--cpu-nic)" /> Outside: the device writes the next CQE here
          </li>
          <li>
            <Dot className="border-(--cpu-app)" /> Inside: the program polls the next CQE here
          </li>
        </ul>
      </div>
      <div className="min-w-0 space-y-4">
        <p className="min-h-12 max-w-[60ch] text-16" role="status">
          {sentenceOf(queue)}
        </p>
        <p className="max-w-[60ch] text-13 text-ink-2">
          Drag a handle along the ring, or focus it and press →. Pointers go only forward.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setQueue((old) => post(old, 1))}>End one request</Button>
          <Button
            disabled={queue.queued.length === 0}
            onClick={() => setQueue((old) => poll(old, old.queued.length))}
          >
            Poll all
          </Button>
          <Button onClick={() => setQueue(empty(entries))}>New connection</Button>
        </div>
        <div className="flex flex-wrap items-center gap-2 text-13">
          <span className="text-ink-2">Recorded without a poll:</span>
          {recordedPosts(run.results).map((count) => (
            <Button
              key={count}
              shape="tight"
              className={`num ${PRESSED}`}
              aria-pressed={unpolled && queue.posted === count}
              aria-label={`${count} requests`}
              onClick={() => setQueue(post(empty(entries), count))}
            >
              {count}
            </Button>
          ))}
        </div>
        <Compared run={run} lines={lines} />
        <p className="max-w-[60ch] text-12 text-ink-3">
          Computed: the rule of the embedded device, which is that of the specification. Recorded: of the run,
          where it posted as many requests before its first poll. SoftRoCE (rxe) keeps the QP working.
        </p>
      </div>
    </section>
  );
}

function Dot({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={`mr-1 inline-block size-3 rounded-full border-2 bg-panel align-[-1px] ${className}`}
    />
  );
}
