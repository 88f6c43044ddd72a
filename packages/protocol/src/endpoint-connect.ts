import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zQpLink, zSendWr } from './endpoint-work.js';
import { zCount, zU24 } from './verbs.js';

const none = z.object({});
/** PD and CQ of the QPs. With `cm.` commands, both must have been made with an id of the connection manager. */
const queues = { pd: handle, cq: handle, link: zQpLink.optional() };
const port = z.int().min(0).max(65_535);

/** Work of a connection: one request, posted as soon as it is established, and polled for. */
const once = {
  request: zSendWr.optional(),
  /** Timeout of each wait, ms. */
  timeoutMs: z.number().min(1).max(60_000),
};
const work = { ...once, count: z.int().min(1).max(1000) };

/**
 * A connection by rdma_cm, as its client saw it. Times are on the run's clock, ns; null if the connection did not get
 * that far.
 */
export const zCmMade = z.object({
  qpn: zU24.nullable(),
  beganAt: zCount,
  resolvedAt: zCount.nullable(),
  /** Creation of the QP. */
  createdAt: zCount.nullable(),
  /** ESTABLISHED, REJECTED or another answer. */
  answeredAt: zCount.nullable(),
  /** Status of the request's completion. */
  status: z.string().nullable(),
  workedAt: zCount.nullable(),
  /** DISCONNECTED. */
  endedAt: zCount.nullable(),
  /** Event that ended the attempt: ESTABLISHED, or the failure. */
  event: z.string(),
  /** Status of the event: 0, the reason of a rejection, or a negative errno. */
  reason: z.int(),
});
export type CmMade = z.infer<typeof zCmMade>;

/** A connection over a TCP socket, as one end saw it. Times are on the run's clock, ns. */
export const zHandMade = z.object({
  qpn: zU24,
  /** Start: before the TCP socket connects; at the server, after the accept. */
  beganAt: zCount,
  /** The TCP connection is established. */
  openedAt: zCount,
  /** The own line is written. */
  sentAt: zCount,
  /** The peer's line is read. */
  receivedAt: zCount,
  /** The own QP is in RTS. */
  readyAt: zCount,
  /** The client has written “ready”, or the server has read it. */
  doneAt: zCount,
  status: z.string().nullable(),
  workedAt: zCount.nullable(),
  /** Lines as sent over the socket. */
  own: z.string(),
  peer: z.string(),
});
export type HandMade = z.infer<typeof zHandMade>;

/** Connections that a program makes one after another or serves, without a round trip to the endpoint in between. */
export const CONNECT_OPS = {
  /**
   * Accepts every request to a listener with a new QP, answers the peer's disconnect, and then destroys QP and id,
   * until `cm.served`. The listener takes no `cm.request` meanwhile.
   */
  'cm.serve': op(
    () => z.object({ cm: handle, ...queues, privateData: z.string().max(264).optional() }),
    () => none,
  ),
  /** Ends `cm.serve`, and the remaining connections. `failed`: requests that could not be accepted. */
  'cm.served': op(
    () => z.object({ cm: handle }),
    () =>
      z.object({
        requests: zCount,
        established: zCount,
        ended: zCount,
        failed: zCount,
        /** Private data of the last request, base64. */
        privateData: z.string(),
        /** QPs of the last connections, the newest last. */
        qpns: z.array(zU24),
      }),
  ),
  /**
   * Resolves, creates a QP, connects, posts `request` and polls for it, disconnects, destroys: `count` times. A
   * rejection counts as an answer.
   */
  'cm.connectMany': op(
    () =>
      z.object({
        address: z.string(),
        port,
        ...queues,
        ...work,
        privateData: z.string().max(264).optional(),
      }),
    () => z.object({ connections: z.array(zCmMade) }),
  ),
  /**
   * Tries to connect, each time like one round of `cm.connectMany`, until a try ends with ESTABLISHED or `waitsMs` is
   * used up. `waitsMs`: pauses after each failed try. The answer has every try.
   */
  'cm.reconnect': op(
    () =>
      z.object({
        address: z.string(),
        port,
        ...queues,
        ...once,
        waitsMs: z.array(z.number().min(0).max(60_000)).max(1000),
      }),
    () => z.object({ connections: z.array(zCmMade) }),
  ),
  /**
   * Listens on a TCP socket and answers each connection like ibv_rc_pingpong: reads the client's line, takes its QP to
   * RTS, writes its own line, and reads “ready”. A QP lives as long as its socket. Ends with `hand.served`.
   */
  'hand.serve': op(
    () => z.object({ host: z.string(), port: port.optional(), ...queues }),
    () => z.object({ port }),
  ),
  'hand.served': op(
    () => none,
    () => z.object({ connections: z.array(zHandMade), failed: zCount }),
  ),
  /** Connects to `hand.serve`, `count` times one after another. Throws AppError if a socket fails or stays silent. */
  'hand.connectMany': op(
    () => z.object({ host: z.string(), port, ...queues, ...work }),
    () => z.object({ connections: z.array(zHandMade) }),
  ),
} as const;
