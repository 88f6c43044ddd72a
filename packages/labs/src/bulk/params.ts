import type { ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { policyParams } from '../endpoints/policy.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Parameters of the bulk lab: the form is drawn from this schema, and the command takes the same names. */
export const bulkParams = z.object({
  transport: z
    .enum(['all-in-turn', 'both-in-turn', 'both-at-once', 'shm-and-tcp', 'rdma', 'rdma-shm', 'tcp'])
    .default('all-in-turn')
    .meta({
      title: 'Transport',
      choiceNeeds: { 'shm-and-tcp': ['link'], 'rdma-shm': ['link'] },
      description:
        'All in turn measures RDMA over UDP (rdma), RDMA over shared memory (rdma-shm), which bypasses the kernel, and TCP, in alternating rounds. Both in turn and Both at once measure RDMA over UDP, and TCP. At once, they share the CPU. Shm and TCP measures RDMA over shared memory, and TCP, in turn. Shared memory needs client and server on one host, each on the embedded device, which is Verbs Lab’s own software RDMA device (uroce0). If it cannot be used, it is left out and the run says why. A run that has no other RDMA transport fails.',
    }),
  size: z
    .int()
    .min(64)
    .max(64 * MIB)
    .default(64 * KIB)
    .meta({
      title: 'Message size',
      description:
        'Bytes in one work request and in one TCP write. The perftest benchmarks call it size. Must not exceed Memory.',
      unit: 'B',
    }),
  operation: z.enum(['write', 'read', 'send']).default('write').meta({
    title: 'Operation',
    description:
      'RDMA WRITE pushes data into the target’s memory, READ pulls data out of it, and SEND fills buffers that the target has posted. TCP sends in the same direction.',
  }),
  memory: z
    .int()
    .min(64)
    .max(GIB)
    .default(4 * MIB)
    .meta({
      title: 'Memory',
      description:
        'Memory that each side registers. All but SEND cycle through it, message by message. Memory that fits in the CPU’s cache is faster.',
      unit: 'B',
    }),
  depth: z.int().min(1).max(4096).default(64).meta({
    title: 'Depth',
    description:
      'Work requests (WRs) that may be in flight at once. The perftest benchmarks call it tx-depth.',
    unit: 'WRs',
  }),
  signalEvery: z.int().min(1).max(4096).default(16).meta({
    title: 'Signal every',
    description:
      'Ask for a completion on every Nth request (perftest calls it cq-mod). Must not exceed Depth: polling a completion frees the slots of its request and of all requests before it. A full queue without a signaled request would stay full.',
    unit: 'WRs',
  }),
  completionMode: z.enum(['poll', 'event']).default('poll').meta({
    title: 'Completions',
    description:
      'Poll checks the completion queue in a loop and never sleeps. Event sleeps until the completion channel wakes the program. TCP sleeps in its system calls either way.',
  }),
  ...policyParams,
  repeat: z.int().min(1).max(15).default(7).meta({
    title: 'Rounds',
    description:
      'How many times each transport is measured. Transports that take turns do so in every round. Goodput and CPU time are medians over the rounds, shown with the lowest and the highest; latencies are of all rounds together. Fewer than 5 are too few to call a difference clear.',
  }),
  duration: z.number().min(0.2).max(3600).default(5).meta({
    title: 'Duration per transport',
    description:
      'How long to measure each transport, not counting warm-up. The rounds of a transport share this time. Transports that take turns are measured for so long each.',
    unit: 's',
  }),
  omit: z.number().min(0).max(30).default(0.5).meta({
    title: 'Warm-up',
    description: 'Time to ignore at the start of each round.',
    unit: 's',
  }),
  capturePackets: z.int().min(0).max(65_536).default(2048).meta({
    title: 'Captured packets',
    description:
      'How many packets to capture. Capturing slows a transfer down, so it happens in a separate short transfer after the measurement. 0 turns it off.',
  }),
});

export type BulkParams = z.output<typeof bulkParams>;

/** Each round has to hold at least a sample or two. */
const SHORTEST_ROUND = 0.1;
const RDMA_ONLY = { unless: { param: 'transport', is: 'tcp' } };

export const BULK_RULES: ParamRule[] = [
  {
    param: 'signalEvery',
    bound: 'at-most',
    of: { param: 'depth' },
    why: 'A send queue whose requests never complete is never freed.',
  },
  {
    param: 'size',
    bound: 'at-most',
    of: { param: 'memory' },
    why: 'Every message lies in the registered memory.',
  },
  {
    param: 'size',
    bound: 'at-most',
    of: { device: 'maxMessageSize' },
    ...RDMA_ONLY,
    why: 'No message may be longer (max_msg_sz).',
  },
  {
    param: 'memory',
    bound: 'at-most',
    of: { device: 'maxMrSize' },
    ...RDMA_ONLY,
    why: 'The memory is one region (max_mr_size).',
  },
  {
    param: 'depth',
    bound: 'at-most',
    of: { device: 'maxQpWr' },
    ...RDMA_ONLY,
    why: 'A queue holds no more work requests (max_qp_wr).',
  },
  {
    param: 'depth',
    bound: 'at-most',
    of: { device: 'maxCqe' },
    ...RDMA_ONLY,
    why: 'A completion queue holds no more entries (max_cqe).',
  },
  {
    param: 'duration',
    bound: 'at-least',
    of: { param: 'repeat', times: SHORTEST_ROUND },
    why: 'The rounds share the duration, and each needs 0.1 s.',
  },
];
