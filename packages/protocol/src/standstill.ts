/** What stands still in a process of a program: the body of `standstill` events, and of the device's message. */
import { z } from 'zod';
import { zCallPlace } from './call-place.js';
import { zCount, zSeenQpState, zU24, zU32 } from './verbs.js';

/** 64 bits, which a JSON number cannot hold. */
const zWrId = z.string().regex(/^\d{1,20}$/);
const zTime = z.number().min(0);

/** The members. `zPlace`: of a call, null if unknown. */
export const standstillOf = <P extends z.ZodType>(zPlace: P) => ({
  /**
   * QPs with a request that has made no progress for a second, a full send queue, or in ERR; that refuse messages for
   * want of a receive; and, while nothing moves, those whose receives wait for a message. The first 16.
   */
  qps: z
    .array(
      z.object({
        qpn: zU24,
        peerQpn: zU24.optional(),
        type: z.string().max(16),
        state: zSeenQpState,
        /** Time of the last change of the state. */
        stateSince: zTime,
        /** Attributes of ibv_modify_qp. */
        timeout: zCount,
        retryCnt: zCount,
        rnrRetry: zCount,
        /** Numbers of its CQs; 0: unknown. */
        sendCq: zU32,
        recvCq: zU32,
        /** Reason why the peer does not answer, and the cure, where the device knows them. */
        why: z.string().max(500).optional(),
        cure: z.string().max(500).optional(),
        send: z.object({
          /** Requests that have not completed. */
          queued: zCount,
          /** Entries in use, also by requests whose completion was not polled. */
          used: zCount,
          size: zCount,
          /** Time of the last progress: an acknowledgment or a completion. */
          since: zTime,
          retries: zCount,
          /** RNR NAKs received since then. */
          rnr: zCount,
          /** The peer’s latest answer was an RNR NAK. */
          rnrNow: z.boolean(),
          /** The path to the peer has no room for a packet. */
          stalled: z.boolean(),
          oldest: z
            .object({
              wrId: zWrId,
              opcode: z.string().max(64),
              length: zU32,
              /** Its first PSN. */
              psn: zU24,
              posted: zTime.optional(),
              /** A packet of it was sent. */
              sent: z.boolean(),
              where: zPlace,
            })
            .optional(),
        }),
        /** Its own receive queue, or its SRQ. */
        recv: z.object({
          queued: zCount,
          size: zCount,
          /** Time when a receive was last posted or used. */
          since: zTime,
          /** RNR NAKs sent since then. */
          rnrSent: zCount,
          srq: zU32.optional(),
          /** Receives posted since the QP was created. Absent with an SRQ. */
          posted: zCount.optional(),
          /** The latest call that posted a receive. */
          where: zPlace,
        }),
      }),
    )
    .max(16),
  /** CQs with completions that nobody has polled for a second, and those of the QPs above. */
  cqs: z
    .array(
      z.object({
        number: zU32,
        completions: zCount,
        size: zCount,
        /** Time from which no completion was taken. Absent if there is none. */
        since: zTime.optional(),
        /** Time of the last poll. Absent if it was never polled, or is polled now. */
        polled: zTime.optional(),
        polling: z.boolean(),
        /** It has a completion channel. */
        channel: z.boolean(),
        armed: z.enum(['no', 'solicited', 'all']),
        /** Events in the channel that the program has not taken, and taken ones that it has not acknowledged. */
        events: zCount,
        unacknowledged: zCount,
        /** Threads that wait in ibv_get_cq_event for the channel. */
        waiters: zCount,
        /** The oldest completion. */
        first: z.object({ qpn: zU24, wrId: zWrId, status: z.string().max(64) }).optional(),
        /** The latest call that polled it. */
        where: zPlace,
      }),
    )
    .max(16),
  /** QPs that stand still and have no place above. */
  more: zCount,
  /** QPs that do not stand still. */
  others: zCount,
  /** Time when something last moved in any queue. */
  moved: zTime.optional(),
  /** A call that waits until events are acknowledged. */
  acks: z
    .object({
      call: z.string().max(64),
      acknowledge: z.string().max(64),
      events: zCount,
      since: zTime,
      where: zPlace,
    })
    .optional(),
});

/**
 * Body of the event. Nothing in `qps`, `cqs` and `acks`: all moves again. `over`: the process has ended, by a signal or
 * without a word, and this is how it stood.
 */
export const zStandstill = z.object({
  ...standstillOf(zCallPlace.nullable()),
  over: z.boolean().optional(),
});
export type Standstill = z.infer<typeof zStandstill>;
export type StillQp = Standstill['qps'][number];
export type StillCq = Standstill['cqs'][number];
