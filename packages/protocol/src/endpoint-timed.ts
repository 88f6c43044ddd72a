import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zSendWr } from './endpoint-work.js';
import { zCount, zWc } from './verbs.js';

/** Work whose time is measured where it is done, without the way to the endpoint and back. */
export const TIMED_OPS = {
  /**
   * Posts one request and polls until `count` completions came (default 1) or the time is over; fewer then. `elapsedNs` goes from
   * just before the post to just after the poll that found the last one.
   */
  postAndWait: op(
    z.object({
      qp: handle,
      cq: handle,
      wr: zSendWr,
      count: z.int().min(1).max(4096).optional(),
      timeoutMs: z.number().min(0).max(60_000),
    }),
    z.object({ elapsedNs: zCount, completions: z.array(zWc) }),
  ),
} as const;
