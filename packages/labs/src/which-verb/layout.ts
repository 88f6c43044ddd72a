/** Places in the memory of each end, and the moves that use them. */
import type { Move, EndpointResult } from '@verbslab/protocol';
import { remoteOf } from '../endpoints/side.js';
import { WORD_BYTES } from '../endpoints/memory.js';
import type { WhichVerbParams } from './params.js';

const CACHE_LINE = 64;
export const TAG = 17;

export type Region = EndpointResult<'regMr'>;

const rounded = (bytes: number): number => Math.ceil(bytes / CACHE_LINE) * CACHE_LINE;

/** Bytes that an end sends, and as many behind them for those that it receives. */
const roomOf = ({ large, message, burst }: WhichVerbParams): number =>
  rounded(Math.max(large, message * burst));

/** Bytes of the memory: both rooms, and behind them a line for each client with amount, sum, and credit. */
export const memoryOf = (params: WhichVerbParams): number =>
  2 * roomOf(params) + (1 + params.others) * CACHE_LINE;

/** A client and the server, with their memory. */
export interface Spot {
  params: WhichVerbParams;
  client: Region;
  server: Region;
  /** Offsets in either region. */
  out: number;
  in: number;
  amount: number;
  sum: number;
  credit: number;
}

export function spotOf(params: WhichVerbParams, client: Region, server: Region, index: number): Spot {
  const room = roomOf(params);
  const line = 2 * room + index * CACHE_LINE;
  const words = { amount: line, sum: line + WORD_BYTES, credit: line + 2 * WORD_BYTES };
  return { params, client, server, out: 0, in: room, ...words };
}

export interface Piece {
  region: Region;
  offset: number;
  length: number;
}

export const piece = (region: Region, offset: number, length: number): Piece => ({ region, offset, length });

const local = (from: Piece | null) =>
  from ? [{ mr: from.region.mr, offset: from.offset, length: from.length }] : [];
const remote = ({ region, offset }: Piece) => remoteOf({ mr: region }, offset);

type Post = Extract<Move, { move: 'post' }>;
type Extra = Partial<Post['wr']>;

/** Null: without data. */
export const send = (from: Piece | null, extra: Extra = {}): Post => ({
  move: 'post',
  wr: { opcode: 'SEND', local: local(from), ...extra },
});
export const write = (from: Piece, to: Piece, extra: Extra = {}): Post => ({
  move: 'post',
  wr: { opcode: 'RDMA_WRITE', local: local(from), remote: remote(to), ...extra },
});
/** `to` names an address even where there is no data. */
export const writeImm = (from: Piece | null, to: Piece, extra: Extra = {}): Post => ({
  move: 'post',
  wr: { opcode: 'RDMA_WRITE_WITH_IMM', local: local(from), remote: remote(to), imm: TAG, ...extra },
});
export const read = (to: Piece, from: Piece): Post => ({
  move: 'post',
  wr: { opcode: 'RDMA_READ', local: local(to), remote: remote(from) },
});
/** The old value comes back to `to`. */
export const fetchAdd = (to: Piece, word: Piece, add: number): Post => ({
  move: 'post',
  wr: {
    opcode: 'ATOMIC_FETCH_AND_ADD',
    local: local(to),
    remote: remote(word),
    add: `0x${add.toString(16)}`,
  },
});

export const recv = (into: Piece | null): Move => ({ move: 'recv', wr: { local: local(into) } });
export const sent: Move = { move: 'sent', count: 1 };
export const received = (count = 1): Move => ({ move: 'received', count });

/** The last byte of a piece: the one that a target without a completion watches. */
const last = ({ region, offset, length }: Piece) => ({ mr: region.mr, offset: offset + length - 1 });
export const mark = (of: Piece): Move => ({ move: 'mark', ...last(of) });
export const marked = (of: Piece): Move => ({ move: 'marked', ...last(of) });
