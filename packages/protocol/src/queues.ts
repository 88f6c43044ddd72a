/** Occupancy of queues: the body of `queues` events, and of the device's message. */
import { z } from 'zod';
import { zCount, zU32 } from './verbs.js';

export const QUEUE_KINDS = ['SQ', 'RQ', 'SRQ', 'CQ'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** Most queues of one kind that a sample names. */
export const MAX_SAMPLED = 16;
/** Most queues that a sample names. */
const MAX_QUEUES = MAX_SAMPLED * QUEUE_KINDS.length;

const zQueue = z.object({
  kind: z.enum(QUEUE_KINDS),
  /** Number of the QP of an SQ and RQ, or of the SRQ or CQ, as in `object` events and calls. */
  number: zU32,
  /**
   * Entries in use. SQ: work requests until their completion is polled, as the device frees their entries then; RQ and
   * SRQ: receives that no message has taken; CQ: completions that were not polled.
   */
  used: zCount,
  size: zCount,
  /** SQ: work requests that have not completed. */
  queued: zCount.optional(),
  /** Time since which nothing has moved in it, as far as samples tell. Absent while it moves. */
  since: z.number().min(0).optional(),
});
export type SampledQueue = z.infer<typeof zQueue>;

/**
 * A sample of the queues of a process, about ten times per second while something changes: it holds until the next one.
 * Without queues: there are none any more.
 */
export const zQueues = z.object({
  /** The first 16 of each kind: the fullest; of receive queues in use, the emptiest. */
  queues: z.array(zQueue).max(MAX_QUEUES),
  /** Sums of the queues of each kind that have no place above. */
  others: z
    .array(z.object({ kind: z.enum(QUEUE_KINDS), queues: zCount, used: zCount, size: zCount }))
    .max(QUEUE_KINDS.length),
});
export type QueueSample = z.infer<typeof zQueues>;
