import { z } from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Parameters of the bulk lab: the form is drawn from this schema, and the command takes the same names. */
export const bulkParams = z.object({
  transport: z.enum(['both-in-turn', 'both-at-once', 'rdma', 'tcp']).default('both-in-turn').meta({
    title: 'Transport',
    description:
      'RDMA and TCP one after the other, both at once (they then share the CPU), or only one of them.',
  }),
  size: z
    .int()
    .min(64)
    .max(GIB)
    .default(4 * MIB)
    .meta({
      title: 'Size',
      description:
        'Memory that each side registers. RDMA walks through it chunk by chunk, and starts again at its end. ' +
        'A size that fits into the cache is faster than one that does not.',
      unit: 'B',
    }),
  chunk: z
    .int()
    .min(64)
    .max(64 * MIB)
    .default(64 * KIB)
    .meta({
      title: 'Chunk',
      description:
        'Bytes of one work request, and of one TCP write. Where it is larger than the size, the size counts.',
      unit: 'B',
    }),
  operation: z.enum(['write', 'read', 'send']).default('write').meta({
    title: 'Operation',
    description:
      'RDMA WRITE pushes into the target’s memory, READ pulls out of it, SEND fills buffers that the target has posted. TCP’s bytes go the same way.',
  }),
  depth: z.int().min(1).max(4096).default(64).meta({
    title: 'Depth',
    description: 'Work requests that may be under way at once (tx-depth).',
    unit: 'WRs',
  }),
  signalEvery: z.int().min(1).max(4096).default(16).meta({
    title: 'Signal every',
    description:
      'One work request in so many asks for a completion (cq-mod). At most the depth: a queue whose requests never complete is never freed.',
    unit: 'WRs',
  }),
  completionMode: z.enum(['poll', 'event']).default('poll').meta({
    title: 'Completions',
    description:
      'Poll: spin on the completion queue, one core busy. Event: sleep until the completion channel wakes you. TCP sleeps in its calls either way.',
  }),
  duration: z.number().min(0.2).max(3600).default(5).meta({
    title: 'Duration',
    description: 'Measured seconds of each transport, the start-up not counted.',
    unit: 's',
  }),
  omit: z.number().min(0).max(30).default(0.5).meta({
    title: 'Leave out',
    description: 'Seconds at the start of each transport that the figures leave out.',
    unit: 's',
  }),
  capturePackets: z.int().min(0).max(65_536).default(2048).meta({
    title: 'Captured packets',
    description:
      'Whole packets of a short transfer of its own after the measured one, since capturing costs throughput. 0: none.',
    unit: 'packets',
  }),
});

export type BulkParams = z.output<typeof bulkParams>;

/** Bytes of one message: the chunk, cut to the size. */
export function messageBytes(params: BulkParams): number {
  return Math.min(params.chunk, params.size);
}

/** One in so many requests is signalled: at most the depth, or the queue would fill up for good. */
export function signalInterval(params: BulkParams): number {
  return Math.min(params.signalEvery, params.depth);
}
