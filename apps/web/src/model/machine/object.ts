import type { QpState } from '@verbslab/protocol';
import { field } from '../field';

/** A verbs object of an endpoint or a process, as far as the record tells. */
export interface MachineObject {
  /** Unique in a run. */
  readonly id: string;
  readonly endpoint: string;
  /** `QP`, `MR`, … */
  readonly kind: string;
  /** QPN, key of a region or window, handle of others; null before a call has named it. */
  number: number | null;
  /** The object that it was made in: a protection domain, or the context. */
  readonly parent: string | null;
  readonly sendCq: string | null;
  readonly recvCq: string | null;
  readonly srq: string | null;
  /** The call that made it, and what that call was given. */
  readonly call: string;
  attrs: Readonly<Record<string, unknown>>;
  /** Of a QP: what its transitions set. */
  connection: Readonly<Record<string, unknown>>;
  /** Nanoseconds since the run was created. */
  readonly madeAt: number;
  goneAt: number | null;
  /** Of a QP: its states in the order of time. Empty when the record has none. */
  states: { state: QpState; t: number }[];
}

/** Objects that draw a ring, and the attributes that say how large it is. */
export const QUEUES = {
  SQ: 'max_send_wr',
  RQ: 'max_recv_wr',
  SRQ: 'max_wr',
  CQ: 'cqe',
} as const;
export type QueueName = keyof typeof QUEUES;

/** What the queue was made for; null when the call did not say. */
export function capacityOf(object: MachineObject, queue: QueueName): number | null {
  const value = object.attrs[QUEUES[queue]];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

export const isLive = (object: MachineObject, at: number): boolean =>
  object.madeAt <= at && (object.goneAt === null || object.goneAt > at);

export const stateAt = (object: MachineObject, at: number): QpState | null =>
  object.states.findLast(({ t }) => t <= at)?.state ?? null;

/** The QPN that a QP was connected to; null for datagrams and before RTR. */
export function peerQpn({ connection }: MachineObject): number | null {
  const qpn = connection.dest_qp_num;
  return typeof qpn === 'number' ? qpn : null;
}

/** The address that a QP was connected to. */
export function peerGid({ connection }: MachineObject): string | null {
  const gid = connection.dgid ?? field(connection.ah_attr, 'dgid');
  return typeof gid === 'string' ? gid : null;
}
