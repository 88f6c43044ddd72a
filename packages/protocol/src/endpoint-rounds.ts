import { z } from 'zod';
import { zLambdaImage, zLambdaPlaces } from './endpoint-lambda.js';
import { op } from './endpoint-op.js';
import { handle, zRecvWr, zSendWr } from './endpoint-work.js';
import { zCount } from './verbs.js';

const place = { mr: handle, offset: zCount };
const zFloatAt = zCount.multipleOf(4);

/** A move of a program in a round. Without `qp` or `cq`, a move uses those of the command. */
export const zMove = z.discriminatedUnion('move', [
  z.object({ move: z.literal('post'), qp: handle.optional(), wr: zSendWr }),
  z.object({ move: z.literal('recv'), qp: handle.optional(), wr: zRecvWr }),
  /** Waits for completions of the program's requests. */
  z.object({ move: z.literal('sent'), cq: handle.optional(), count: z.int().min(1) }),
  /** Waits for completions of the program's RECVs. */
  z.object({ move: z.literal('received'), cq: handle.optional(), count: z.int().min(1) }),
  /** Writes the byte of this round, which is never 0 and differs in the next round. */
  z.object({ move: z.literal('mark'), ...place }),
  /** Polls memory until it holds the byte of this round. */
  z.object({ move: z.literal('marked'), ...place }),
  /** Adds the word at `from` to the word at `offset`, and copies the sum to `to`. */
  z.object({ move: z.literal('add'), ...place, from: zCount, to: zCount }),
  /**
   * Adds `count` float32 at `a` to those at `b`, element by element, and writes the sums to `offset`. All three are
   * multiples of 4.
   */
  z.object({
    move: z.literal('add-floats'),
    mr: handle,
    offset: zFloatAt,
    a: zFloatAt,
    b: zFloatAt,
    count: z.int().min(1),
  }),
  /** Copies `length` bytes at `from` to `offset`, like memmove. */
  z.object({ move: z.literal('copy'), ...place, from: zCount, length: z.int().min(1) }),
  /** Runs a loaded function: see `lambda.run`. */
  z.object({ move: z.literal('run'), lambda: handle, ...zLambdaPlaces.shape }),
  /** Loads a function from memory, runs it once, and unloads it. */
  z.object({ move: z.literal('load-and-run'), ...zLambdaImage.shape, ...zLambdaPlaces.shape }),
]);
export type Move = z.input<typeof zMove>;

/** Most moves of one end of a round. */
export const MOVES = 128;

/** Repeated work of a program, without a round trip to the endpoint in between. */
export const ROUND_OPS = {
  /**
   * Makes the moves in order, `rounds` times, and times each round. `first`: number of the first round. `event`: sleeps
   * for completions of RECVs, on the completion channel of `recvCq`; everything else is polled. `received`: completions
   * of RECVs.
   */
  performRounds: op(
    () =>
      z.object({
        qp: handle,
        sendCq: handle,
        recvCq: handle,
        moves: z.array(zMove).min(1).max(MOVES),
        rounds: z.int().min(1).max(10_000),
        first: zCount,
        wait: z.enum(['poll', 'event']),
        /** Timeout of a wait, ms; then ETIMEDOUT. */
        timeoutMs: z.number().min(1).max(60_000),
      }),
    () => z.object({ timesNs: z.array(zCount), received: zCount }),
  ),
} as const;
