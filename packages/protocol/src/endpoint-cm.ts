import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zQpLink } from './endpoint-work.js';
import { zCount, zGid, zU24, zU32 } from './verbs.js';

const none = z.object({});
const timeoutMs = z.number().min(0).max(60_000);
/** Private data, at most 196 bytes; received data may end with zeros. */
const privateData = z.string().max(264);
const service = z.enum(['TCP', 'UDP']);
const port = z.int().min(0).max(65_535);

/** An event of the connection manager, by its name in `enum rdma_cm_event_type`. */
export const zCmShown = z.object({
  type: z.string(),
  /** Status: 0, a negative errno, or the reason of a rejection. */
  status: z.int(),
  /** Id of the event; with CONNECT_REQUEST, the listening id. */
  cm: handle.optional(),
  /** Time of the event on the run's clock, ns. Absent from older agents. */
  at: zCount.optional(),
});
export type CmShown = z.infer<typeof zCmShown>;

/** The connection manager. `cm` is the handle of an id. */
export const CM_OPS = {
  /**
   * Listens. The default address is that of the device's GID. Port 0 picks a free one. `backlog`: most requests that
   * may wait; 0: the library's choice. `held`: uses a separate event channel, from which the program takes no event
   * before `cm.release`.
   */
  'cm.listen': op(
    () =>
      z.object({
        service: service.optional(),
        address: z.string().optional(),
        port: port.optional(),
        backlog: z.int().min(0).max(1024).optional(),
        held: z.boolean().optional(),
      }),
    () => z.object({ cm: handle, address: z.string(), port }),
  ),
  'cm.release': op(
    () => z.object({ cm: handle }),
    () => none,
  ),
  /** Returns the next request to a listener, as an id to accept or reject; null if none arrives in time. */
  'cm.request': op(
    () => z.object({ cm: handle, timeoutMs }),
    () =>
      z.object({
        request: z.object({ cm: handle, privateData, qpn: zU24.optional() }).nullable(),
      }),
  ),
  /** Makes an id with address and route resolved. */
  'cm.resolve': op(
    () =>
      z.object({ service: service.optional(), address: z.string(), port, timeoutMs: timeoutMs.optional() }),
    () => z.object({ cm: handle }),
  ),
  /**
   * Creates a QP of an id. PD and CQs must have been made with `cm`. Except for its transitions, the QP is like one of
   * `createQp`.
   */
  'cm.createQp': op(
    () =>
      z.object({
        cm: handle,
        pd: handle,
        sendCq: handle,
        recvCq: handle.optional(),
        srq: handle.optional(),
        maxSendWr: zCount.optional(),
        maxRecvWr: zCount.optional(),
        link: zQpLink.optional(),
      }),
    () => z.object({ qp: handle, qpn: zU24 }),
  ),
  /**
   * Connects and waits for the answer. After a rejection, `established` is false and `reason` is its number (28: the
   * peer's application).
   */
  'cm.connect': op(
    () => z.object({ cm: handle, privateData: privateData.optional() }),
    () =>
      z.object({
        established: z.boolean(),
        reason: z.int().optional(),
        privateData,
        /** Target of a datagram service. */
        datagram: z.object({ gid: zGid, gidIndex: zCount, qpn: zU24, qkey: zU32 }).optional(),
      }),
  ),
  /** Accepts, and waits until the connection is established. */
  'cm.accept': op(
    () => z.object({ cm: handle, privateData: privateData.optional() }),
    () => none,
  ),
  'cm.reject': op(
    () => z.object({ cm: handle, privateData: privateData.optional() }),
    () => none,
  ),
  'cm.disconnect': op(
    () => z.object({ cm: handle }),
    () => none,
  ),
  /** Waits for the peer's disconnect, or for its answer to this side's disconnect. */
  'cm.disconnected': op(
    () => z.object({ cm: handle, timeoutMs }),
    () => none,
  ),
  /** Returns the events since the last answer, including those that ended another command. Waits if there is none. */
  'cm.events': op(
    () => z.object({ timeoutMs }),
    () => z.object({ events: z.array(zCmShown) }),
  ),
} as const;
