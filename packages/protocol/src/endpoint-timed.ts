import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRemoteMemory, zSendWr } from './endpoint-work.js';
import { zCount, zWc } from './verbs.js';

/** Ways to notify the target of a WRITE. `memory`: nothing follows, the target watches the last byte. */
export const NOTICE_WAYS = ['memory', 'counter', 'send', 'imm'] as const;
export type NoticeWay = (typeof NOTICE_WAYS)[number];

const noticeArgs = {
  way: z.enum(NOTICE_WAYS),
  qp: handle,
  sendCq: handle,
  recvCq: handle,
  mr: handle,
  /** Bytes of a message, at the start of the region. The 8 bytes of the counter are at `counter`. */
  size: z.int().min(1).max(65_536),
  counter: zCount,
  rounds: z.int().min(1).max(10_000),
  /** Timeout of a round, ms; then ETIMEDOUT. */
  timeoutMs: z.number().min(1).max(60_000),
};

/** Ways in which the receiver of a message waits for its completion. `adaptive` polls for a while and then sleeps. */
export const WAIT_WAYS = ['poll', 'event', 'adaptive'] as const;
export type WaitWay = (typeof WAIT_WAYS)[number];

const messageArgs = {
  qp: handle,
  sendCq: handle,
  recvCq: handle,
  rounds: z.int().min(1).max(10_000),
  /** Timeout of a round, ms; then ETIMEDOUT. */
  timeoutMs: z.number().min(1).max(60_000),
};

/** Times of a WRITE that its program can see, on the run's clock, ns. */
const zTracedWrite = z.object({
  /** The program begins to build the work request. */
  built: z.number(),
  /** The program calls ibv_post_send, through the binding of its language. */
  called: z.number(),
  /** The call has returned. */
  returned: z.number(),
  /** ibv_poll_cq has returned the completion. */
  got: z.number(),
});
export type TracedWrite = z.infer<typeof zTracedWrite>;

/** Work that is timed in the endpoint, without a round trip to it. */
export const TIMED_OPS = {
  /**
   * Posts a request and polls until `count` completions have arrived (default 1) or the time is over, with fewer then.
   * `elapsedNs`: from just before the post to just after the poll that found the last one.
   */
  postAndWait: op(
    () =>
      z.object({
        qp: handle,
        cq: handle,
        wr: zSendWr,
        count: z.int().min(1).max(4096).optional(),
        timeoutMs: z.number().min(0).max(60_000),
      }),
    () => z.object({ elapsedNs: zCount, completions: z.array(zWc) }),
  ),
  /**
   * WRITEs one message after another, each from the start of the region, and returns the times of each step, on the
   * run's clock, ns. wr_ids count from `firstId`. `event` arms the CQ before each post and sleeps on its completion
   * channel. Throws COMPLETION and ETIMEDOUT.
   */
  traceWrites: op(
    () =>
      z.object({
        qp: handle,
        cq: handle,
        mr: handle,
        size: z.int().min(1).max(0x4000_0000),
        remote: zRemoteMemory,
        inline: z.boolean(),
        wait: z.enum(['poll', 'event']),
        firstId: zCount,
        count: z.int().min(1).max(4096),
        /** Timeout of a WRITE, ms. */
        timeoutMs: z.number().min(1).max(60_000),
      }),
    () => z.object({ writes: z.array(zTracedWrite) }),
  ),
  /**
   * WRITEs a message, notifies the peer in the chosen way, and polls for its answer, a SEND; then pauses. Returns a
   * time per round, from just before the post to just after the poll that found the answer. The peer runs
   * `answerNotices`.
   */
  askNotices: op(
    () => z.object({ ...noticeArgs, remote: zRemoteMemory, pauseMs: z.number().min(0).max(1000) }),
    () => z.object({ roundTripsNs: z.array(zCount) }),
  ),
  /**
   * Detects each message of `askNotices` and answers it. The first RECV must be posted. `event` sleeps on the
   * completion channel of `recvCq`, for `send` and `imm` only. CPU time and elapsed time start after the first `omit`
   * rounds. `incomplete`: messages with a missing byte at their detection.
   */
  answerNotices: op(
    () => z.object({ ...noticeArgs, wait: z.enum(['poll', 'event']), omit: zCount }),
    () => z.object({ cpuNs: zCount, elapsedNs: zCount, incomplete: zCount }),
  ),
  /**
   * SENDs messages without data, each with its number as immediate, and polls for the answer, which must carry the same
   * number. Then waits for `gapUs`. `wrong`: answers with another number. The peer runs `answerMessages`.
   */
  askMessages: op(
    () => z.object({ ...messageArgs, gapUs: z.number().min(0).max(1_000_000) }),
    () => z.object({ roundTripsNs: z.array(zCount), wrong: zCount }),
  ),
  /**
   * Waits for each message of `askMessages` and answers it. The first RECV must be posted, and `recvCq` must have a
   * completion channel unless `wait` is `poll`. CPU time of the process and elapsed time start after the first `omit`
   * rounds; the counts include all rounds. `rechecks`: messages that the poll after arming found; `sleeps`: waits that
   * an event ended.
   */
  answerMessages: op(
    () =>
      z.object({
        ...messageArgs,
        wait: z.enum(WAIT_WAYS),
        /** Time for which `adaptive` polls before it arms the CQ, µs. */
        budgetUs: z.number().min(0).max(1_000_000),
        omit: zCount,
      }),
    () =>
      z.object({
        cpuNs: zCount,
        elapsedNs: zCount,
        wrong: zCount,
        arms: zCount,
        rechecks: zCount,
        sleeps: zCount,
        events: zCount,
      }),
  ),
} as const;
