import type { LabTiming } from '@verbslab/protocol';
import type { BulkParams } from './params.js';

/** RDMA over UDP, or over what else the device has; RDMA over shared memory; TCP. */
export type BulkTransport = 'rdma' | 'shm' | 'tcp';

/** Transports that run, in the order of their turns. */
export const TRANSPORTS_OF: Readonly<Record<BulkParams['transport'], readonly BulkTransport[]>> = {
  'all-in-turn': ['rdma', 'shm', 'tcp'],
  'both-in-turn': ['rdma', 'tcp'],
  'both-at-once': ['rdma', 'tcp'],
  'shm-and-tcp': ['shm', 'tcp'],
  rdma: ['rdma'],
  'rdma-shm': ['shm'],
  tcp: ['tcp'],
};

/** Measured seconds of one round. */
export const roundSeconds = ({ duration, repeat }: Pick<BulkParams, 'duration' | 'repeat'>): number =>
  duration / repeat;

/** Rounds that follow one another: transports that run at once share theirs. */
const turnsOf = (transport: BulkParams['transport']): number =>
  transport === 'both-at-once' ? 1 : TRANSPORTS_OF[transport].length;

/** Time of all rounds with their warm-ups. Setup and checks take a moment more. */
export const BULK_TIMING: LabTiming = {
  measured: 'duration',
  rounds: 'repeat',
  warmUp: 'omit',
  turns: {
    param: 'transport',
    of: Object.fromEntries(
      (Object.keys(TRANSPORTS_OF) as BulkParams['transport'][]).map((each) => [each, turnsOf(each)]),
    ),
  },
};
