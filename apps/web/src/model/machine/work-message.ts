/** Packets of a work request. */
import { WC_FLUSH } from '@verbslab/protocol';
import type { Analysis, Message, MessageKind } from '@verbslab/roce';
import { beganWithin, messagesByQp, sentMessages, type MessagesByQp } from '../messages';
import type { RunModel } from '../run-model';
import { bookOf } from './book';
import type { MachineObject } from './object';
import type { Work } from './work';

const KINDS: Readonly<Record<string, readonly MessageKind[]>> = {
  SEND: ['SEND', 'Datagram'],
  SEND_WITH_IMM: ['SEND with immediate', 'Datagram'],
  SEND_WITH_INV: ['SEND with invalidate'],
  RDMA_WRITE: ['RDMA WRITE'],
  RDMA_WRITE_WITH_IMM: ['RDMA WRITE with immediate'],
  RDMA_READ: ['RDMA READ'],
  ATOMIC_CMP_AND_SWP: ['Compare Swap'],
  ATOMIC_FETCH_AND_ADD: ['Fetch Add'],
};
/** Messages that consume a RECV of the peer. */
const RECEIVED: readonly MessageKind[] = [
  ...(['SEND', 'SEND with immediate', 'SEND with invalidate'] as const),
  ...(['RDMA WRITE with immediate', 'Datagram'] as const),
];
const ASKING: readonly MessageKind[] = ['RDMA READ', 'Compare Swap', 'Fetch Add'];

const agree = (work: Work, message: Message | undefined): boolean =>
  message !== undefined &&
  (KINDS[work.opcode]?.includes(message.kind) ?? false) &&
  // Requests of other kinds carry no payload, and a failed request may not have sent all of it.
  (ASKING.includes(message.kind) || message.bytes === work.bytes || message.status === 'refused');

const tables = new WeakMap<Analysis, MessagesByQp>();

/**
 * Message of a work request, and number of earlier messages of the QP that consumed a RECV. The message is found by the
 * request's timeline, or else by its position among the requests of the QP, if all requests before it agree with the
 * messages. Null if there is no message, or if it cannot be determined.
 */
export function messageOfWork(
  run: RunModel,
  qp: MachineObject,
  work: Work,
  analysis: Analysis,
): { message: Message; received: number } | null {
  let table = tables.get(analysis);
  if (!table) tables.set(analysis, (table = messagesByQp(run, analysis)));
  const sent = sentMessages(table, work.endpoint, work.qpn ?? -1, qp.connection.dest_qp_num);
  const at =
    work.psn === undefined
      ? placeOf(run, qp, work, sent)
      : sent.findLastIndex(({ requests }) => analysis.rows[requests[0] ?? -1]?.psn === work.psn);
  const message = sent[at];
  if (!message) return null;
  return { message, received: sent.slice(0, at).filter(({ kind }) => RECEIVED.includes(kind)).length };
}

function placeOf(run: RunModel, qp: MachineObject, work: Work, sent: readonly Message[]): number {
  const { life } = work;
  if (life) return sent.findIndex((one) => beganWithin(one, life));
  const all = bookOf(run)
    .workOf(qp, 'SQ')
    // A flushed request may not have been sent, and a local one is not.
    .filter((one) => one.opcode in KINDS && one.status !== WC_FLUSH);
  const at = all.indexOf(work);
  return all.slice(0, at + 1).every((one, i) => agree(one, sent[i])) ? at : -1;
}

/** Packets of a message and of its responses, in order of time. */
export function packetsOfMessage({ requests, responses, decidedBy }: Message, { rows }: Analysis): number[] {
  const all = new Set([...requests, ...responses, ...(decidedBy === undefined ? [] : [decidedBy])]);
  return [...all].sort((a, b) => rows[a]!.t - rows[b]!.t || a - b);
}
