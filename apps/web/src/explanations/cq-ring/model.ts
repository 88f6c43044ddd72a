/**
 * A completion queue while a program posts and polls, by the rule of the device (native/uroce/transport/queues/completion.h
 * and Qp::cq_overrun): a CQE needs a free slot, a slot is free once its CQE was polled, and a CQE without a slot is lost and
 * takes the QP to ERR. Pure functions.
 */
import type { LabResults, Row } from '@verbslab/protocol';
import type { ExplainedRun } from '../types';

export interface Queue {
  entries: number;
  /** Signaled requests that have ended, one after the other. */
  posted: number;
  polled: number;
  lost: number;
  /** CQEs that wait for the program, oldest first. */
  queued: readonly ('success' | 'flushed')[];
  /** Number of the request whose CQE found no slot; null while there was none. */
  overrun: number | null;
  /** True if something was polled before the first overrun, or before any. */
  polledEarly: boolean;
}

export const empty = (entries: number): Queue => ({
  ...{ entries, posted: 0, polled: 0, lost: 0, queued: [], overrun: null, polledEarly: false },
});

function postOne(queue: Queue): Queue {
  const { entries, queued, lost, overrun } = queue;
  const posted = queue.posted + 1;
  if (queued.length < entries)
    return { ...queue, posted, queued: [...queued, overrun === null ? 'success' : 'flushed'] };
  return { ...queue, posted, lost: lost + 1, overrun: overrun ?? posted };
}

/** Requests that end without a poll in between. */
export const post = (queue: Queue, count: number): Queue =>
  Array.from({ length: count }).reduce<Queue>(postOne, queue);

/** Polls once, for at most `count` completions. */
export function poll(queue: Queue, count: number): Queue {
  const { queued, polled, overrun, polledEarly } = queue;
  const taken = Math.min(count, queued.length);
  return {
    ...queue,
    polled: polled + taken,
    queued: queued.slice(taken),
    polledEarly: polledEarly || (overrun === null && taken > 0),
  };
}

/** CQEs that the device has written so far. */
export const writtenOf = ({ polled, queued }: Queue): number => polled + queued.length;

export interface Line {
  what: string;
  computed: string;
  /** Null: the run did not record it for this number of requests. */
  recorded: string | null;
}

const text = (value: Row[string] | undefined): string | null =>
  value === undefined || value === null ? null : String(value);

/** Row of a run that posted as many requests before its first poll. */
const lateRow = ({ tables }: LabResults, queue: Queue): Row | undefined =>
  queue.polledEarly ? undefined : tables.late?.find((row) => row.posted === queue.posted);

/** Numbers of requests that the run posted before its first poll. */
export const recordedPosts = ({ tables }: LabResults): number[] =>
  (tables.late ?? []).flatMap(({ posted }) => (typeof posted === 'number' ? [posted] : []));

export const entriesOf = ({ figures }: LabResults): number | null => figures.entries?.value ?? null;

/** The state of the queue as computed, beside what the run recorded for the same number of requests. */
export function linesOf({ record, results }: ExplainedRun, queue: Queue): Line[] {
  const late = lateRow(results, queue);
  const over = queue.overrun !== null;
  // The run looked at the QPs after as many requests beyond the entries as its parameter says.
  const looked = late !== undefined && queue.posted === queue.entries + Number(record.parameters.extra);
  const broken = (what: string): string | null =>
    looked ? text(results.tables.broken?.find((row) => row.what === what)?.found) : null;
  return [
    {
      what: 'Completions that a poll finds, or found',
      computed: String(writtenOf(queue)),
      recorded: text(late?.polled),
    },
    { what: 'Completions lost', computed: String(queue.lost), recorded: text(late?.lost) },
    {
      what: 'Asynchronous events',
      computed: over ? 'CQ_ERR, QP_FATAL' : 'none',
      recorded: broken('Asynchronous events') ?? text(late?.event),
    },
    { what: 'Client’s QP', computed: over ? 'ERR' : 'RTS', recorded: broken('Client’s QP') },
    { what: 'Server’s QP', computed: 'RTS', recorded: broken('Server’s QP') },
  ];
}

/** What the picture shows, as a sentence. */
export function sentenceOf(queue: Queue): string {
  const { entries, queued, overrun, lost } = queue;
  const free = entries - queued.length;
  if (overrun !== null) {
    const more = lost > 1 ? ` So did those of ${lost - 1} more.` : '';
    const first = `The CQE of request ${overrun} found no slot and is lost.${more}`;
    const last = queued.at(-1);
    return last === 'flushed'
      ? `${first} Polling freed slots, but the QP stays in ERR: later requests are flushed.`
      : `${first} The device reports CQ_ERR and takes the QP to ERR. Polling does not repair it.`;
  }
  if (free === 0) return 'The queue is full. If another request ends before a poll, its CQE finds no slot.';
  return queued.length === 0
    ? 'The queue is empty. The device writes a CQE when a request ends.'
    : `${queued.length} of ${entries} slots ${queued.length === 1 ? 'holds' : 'hold'} a CQE that was not polled.`;
}

/** Steps along a ring, the shorter way, from where a pointer is to a slot. */
export function stepsTo(count: number, slot: number, entries: number): number {
  const ahead = (((slot - count) % entries) + entries) % entries;
  return ahead > entries / 2 ? ahead - entries : ahead;
}
