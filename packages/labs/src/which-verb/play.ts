/** What it takes to do one job with one verb. */
import type { Access, Move } from '@verbslab/protocol';
import type { JobId, VerbId } from './jobs.js';
import type { Piece, Spot } from './layout.js';

export type EndName = 'client' | 'server';

export interface Play {
  job: JobId;
  verb: VerbId;
  /** Whose program begins, and is timed. */
  initiator: EndName;
  /** What each end lets its peer do, beside its own LOCAL_WRITE. */
  rights: Partial<Record<EndName, Access[]>>;
  /** Every client does it at the same time. */
  shared?: true;
  /** The passive side needs RECVs for all rounds in advance: nothing tells the initiator that it has posted another. */
  oneWay?: true;
  /** Jobs per round; default 1. */
  jobs?: (spot: Spot) => number;
  /** No moves: the program makes no call. */
  moves: (spot: Spot) => Record<EndName, Move[]>;
  /** What must be the same at the end. Absent for the counter, which must have the sum. */
  equal?: (spot: Spot) => [Piece, Piece][];
}

export const passiveOf = ({ initiator }: Play): EndName => (initiator === 'client' ? 'server' : 'client');
