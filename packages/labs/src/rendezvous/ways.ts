/** The ways to send one message, and what both ends do. The receiver answers with a SEND when the bytes are in its own buffer; `messages` counts that SEND too. */
import type { Move } from '@verbslab/protocol';
import type { Queues } from '../endpoints/scope.js';
import { remoteOf } from '../endpoints/side.js';
import { CONTROL_BYTES } from './control.js';
import { READY } from './by-hand.js';
import {
  BOUNCE,
  bounceRecv,
  controlRecv,
  OUT,
  ownOf,
  type Context,
  type End,
  type Ends,
} from './endpoints.js';

export const WAYS = [
  { id: 'eager', title: 'Eager', data: 'SEND', messages: 2, before: 0 },
  { id: 'write', title: 'Rendezvous, WRITE', data: 'WRITE_WITH_IMM', messages: 4, before: 1 },
  { id: 'read', title: 'Rendezvous, READ', data: 'READ', messages: 3, before: 1 },
] as const;
export type Way = (typeof WAYS)[number];

export interface Moves {
  sender: Move[];
  receiver: Move[];
  queues: (end: End) => Queues;
}

const sent = (count: number): Move => ({ move: 'sent', count });
const received: Move = { move: 'received', count: 1 };
const control = (end: End): Move => ({
  move: 'post',
  wr: { opcode: 'SEND', local: [{ mr: end.mr.mr, offset: OUT, length: CONTROL_BYTES }] },
});
/** A control message comes, and its RECV is replaced. */
const taken = (end: End): Move[] => [received, { move: 'recv', wr: controlRecv(end) }];

const eagerMoves = ({ params }: Context, { sender, receiver }: Ends, size: number): Moves => {
  const own = ownOf(params);
  return {
    sender: [
      { move: 'copy', mr: sender.mr.mr, from: own, offset: BOUNCE, length: size },
      {
        move: 'post',
        wr: { opcode: 'SEND', local: [{ mr: sender.mr.mr, offset: BOUNCE, length: size }] },
      },
      sent(1),
      received,
      { move: 'recv', wr: {} },
    ],
    receiver: [
      received,
      { move: 'copy', mr: receiver.mr.mr, from: BOUNCE, offset: own, length: size },
      { move: 'recv', wr: bounceRecv(receiver, params.largest) },
      { move: 'post', wr: { opcode: 'SEND' } },
      sent(1),
    ],
    queues: ({ eager }) => eager,
  };
};

const writeMoves = ({ params }: Context, { sender, receiver }: Ends, size: number): Moves => {
  const own = ownOf(params);
  const wr = {
    opcode: 'RDMA_WRITE_WITH_IMM' as const,
    local: [{ mr: sender.mr.mr, offset: own, length: size }],
    remote: remoteOf(receiver, own),
    imm: READY,
  };
  return {
    sender: [control(sender), ...taken(sender), { move: 'post', wr }, sent(2), ...taken(sender)],
    receiver: [
      ...taken(receiver),
      control(receiver),
      ...taken(receiver),
      { move: 'post', wr: { opcode: 'SEND' } },
      sent(2),
    ],
    queues: ({ rendezvous }) => rendezvous,
  };
};

const readMoves = ({ params }: Context, { sender, receiver }: Ends, size: number): Moves => {
  const own = ownOf(params);
  const wr = {
    opcode: 'RDMA_READ' as const,
    local: [{ mr: receiver.mr.mr, offset: own, length: size }],
    remote: remoteOf(sender, own),
  };
  return {
    sender: [control(sender), sent(1), ...taken(sender)],
    receiver: [
      ...taken(receiver),
      { move: 'post', wr },
      sent(1),
      { move: 'post', wr: { opcode: 'SEND' } },
      sent(1),
    ],
    queues: ({ rendezvous }) => rendezvous,
  };
};

const MOVES: Readonly<Record<Way['id'], typeof eagerMoves>> = {
  eager: eagerMoves,
  write: writeMoves,
  read: readMoves,
};

export const movesOf = (ctx: Context, ends: Ends, { id }: Way, size: number): Moves =>
  MOVES[id](ctx, ends, size);

/** A control message there and one back: what rendezvous waits for before its data moves. */
export const roundTripMoves = ({ sender, receiver }: Ends): Moves => ({
  sender: [control(sender), sent(1), ...taken(sender)],
  receiver: [...taken(receiver), control(receiver), sent(1)],
  queues: ({ rendezvous }) => rendezvous,
});
