import type { BulkParams } from './params.js';

/** RDMA over UDP, or over what else the device has; RDMA through shared memory; TCP. */
export type BulkTransport = 'rdma' | 'shm' | 'tcp';

/** As sentences and labels of loops call them. */
export const BULK_NAMES: Readonly<Record<BulkTransport, string>> = {
  rdma: 'RDMA',
  shm: 'RDMA through shared memory',
  tcp: 'TCP',
};

/** What runs, in the order of their turns. */
export const TRANSPORTS_OF: Readonly<Record<BulkParams['transport'], readonly BulkTransport[]>> = {
  'both-in-turn': ['rdma', 'tcp'],
  'both-at-once': ['rdma', 'tcp'],
  'all-in-turn': ['rdma', 'shm', 'tcp'],
  rdma: ['rdma'],
  'rdma-shm': ['shm'],
  tcp: ['tcp'],
};

/** What decides how long a run of the bulk lab measures. */
export type BulkTiming = Pick<BulkParams, 'transport' | 'repeat' | 'duration' | 'omit'>;

/** Measured seconds of one round. */
export const roundSeconds = ({ duration, repeat }: Pick<BulkTiming, 'duration' | 'repeat'>): number =>
  duration / repeat;

/** Rounds that follow one another: transports that run at once share theirs. */
export const roundsInAll = ({ transport, repeat }: Pick<BulkTiming, 'transport' | 'repeat'>): number =>
  repeat * (transport === 'both-at-once' ? 1 : TRANSPORTS_OF[transport].length);

/** Seconds of all rounds with their warm-ups. Set-up and checks take a moment more. */
export const plannedSeconds = (timing: BulkTiming): number =>
  roundsInAll(timing) * (roundSeconds(timing) + timing.omit);
