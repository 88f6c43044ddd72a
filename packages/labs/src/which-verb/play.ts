/** A play: the moves and rights for one job with one verb. */
import type { Access, Move } from '@verbslab/protocol';
import type { JobId, VerbId } from './jobs.js';
import type { Piece, Spot } from './layout.js';

export type EndName = 'client' | 'server';

export interface Play {
  job: JobId;
  verb: VerbId;
  /** End whose program begins, and is timed. */
  initiator: EndName;
  /** Rights that each end grants its peer, beside its own LOCAL_WRITE. */
  rights: Partial<Record<EndName, Access[]>>;
  /** Every client does it at the same time. */
  shared?: true;
  /** The passive side needs RECVs for all rounds in advance: nothing tells the initiator that it has posted another. */
  oneWay?: true;
  /** Jobs per round; default 1. */
  jobs?: (spot: Spot) => number;
  /** No moves: the program makes no call. */
  moves: (spot: Spot) => Record<EndName, Move[]>;
  /** Pieces of memory that must be equal at the end. Absent for the counter, which must have the sum. */
  equal?: (spot: Spot) => [Piece, Piece][];
}

export const passiveOf = ({ initiator }: Play): EndName => (initiator === 'client' ? 'server' : 'client');
