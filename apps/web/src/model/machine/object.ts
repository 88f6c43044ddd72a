import type { QpState } from '@verbslab/protocol';
import { field } from '../field';

/** A verbs object of an endpoint or a process, as far as recorded. */
export interface MachineObject {
  /** Unique in a run. */
  readonly id: string;
  readonly endpoint: string;
  /** `QP`, `MR`, … */
  readonly kind: string;
  /** QPN, key of a region or window, or handle; null before a call has named the object. */
  number: number | null;
  /** Object that it belongs to: a protection domain or the context. */
  readonly parent: string | null;
  readonly sendCq: string | null;
  readonly recvCq: string | null;
  readonly srq: string | null;
  /** Call that created it, and attributes from that call. */
  readonly call: string;
  attrs: Readonly<Record<string, unknown>>;
  /** Attributes of a QP that its transitions set. */
  connection: Readonly<Record<string, unknown>>;
  /** Nanoseconds since the run was created. */
  readonly madeAt: number;
  goneAt: number | null;
  /** States of a QP in order of time; empty if none are recorded. */
  states: { state: QpState; t: number }[];
}

/** Objects that draw a ring, with the attribute that has its capacity. */
export const QUEUES = {
  SQ: 'max_send_wr',
  RQ: 'max_recv_wr',
  SRQ: 'max_wr',
  CQ: 'cqe',
} as const;
export type QueueName = keyof typeof QUEUES;

/** Capacity of the queue; null if the call did not tell. */
export function capacityOf(object: MachineObject, queue: QueueName): number | null {
  const value = object.attrs[QUEUES[queue]];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

export const isLive = (object: MachineObject, at: number): boolean =>
  object.madeAt <= at && (object.goneAt === null || object.goneAt > at);

export const stateAt = (object: MachineObject, at: number): QpState | null =>
  object.states.findLast(({ t }) => t <= at)?.state ?? null;

/** QPN of the peer; null for datagrams and before RTR. */
export function peerQpn({ connection }: MachineObject): number | null {
  const qpn = connection.dest_qp_num;
  return typeof qpn === 'number' ? qpn : null;
}

/** GID of the peer. */
export function peerGid({ connection }: MachineObject): string | null {
  const gid = connection.dgid ?? field(connection.ah_attr, 'dgid');
  return typeof gid === 'string' ? gid : null;
}
