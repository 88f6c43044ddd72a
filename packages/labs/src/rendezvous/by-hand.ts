/** A transfer in each way, message by message, with a look at both memories in between. */
import type { EndpointSendWr, Wc } from '@verbslab/protocol';
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { formatCount, plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import type { Queues } from '../endpoints/scope.js';
import { hashOf, remoteOf } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { CONTROL_BYTES, decodeControl, encodeControl, type Control } from './control.js';
import {
  BOUNCE,
  bounceRecv,
  controlRecv,
  IN,
  OUT,
  ownOf,
  type Context,
  type End,
  type Ends,
} from './endpoints.js';

/** Immediate of the last message. */
export const READY = 1;
const TAG = 7;
const SEEDS = { message: 11, destination: 12, bounce: 13 };

/** Memory of both ends after a transfer. */
interface After {
  /** The receiver’s own buffer has the message. */
  arrived: boolean;
  /** Bounce buffers, sender’s and receiver’s, that hold the message. */
  copies: number;
}

export interface ByHand {
  eager: After;
  write: After & { untouchedBeforeCts: boolean; rts: Control; cts: Control; ready: Wc };
  read: After & { silent: boolean };
}

/** Fills every place that a message may come to with different bytes. */
async function prepare({ params }: Context, { sender, receiver }: Ends, size: number): Promise<void> {
  const fill = (end: End, offset: number, seed: number): Promise<unknown> =>
    end.endpoint.call('fillMemory', { mr: end.mr.mr, offset, length: size, seed });
  const own = ownOf(params);
  await fill(sender, own, SEEDS.message);
  await fill(receiver, own, SEEDS.destination);
  await fill(sender, BOUNCE, SEEDS.bounce);
  await fill(receiver, BOUNCE, SEEDS.bounce);
}

async function after({ params }: Context, { sender, receiver }: Ends, size: number): Promise<After> {
  const own = ownOf(params);
  const message = await hashOf(sender, own, size);
  const bounced = [await hashOf(sender, BOUNCE, size), await hashOf(receiver, BOUNCE, size)];
  return {
    arrived: (await hashOf(receiver, own, size)) === message,
    copies: bounced.filter((hash) => hash === message).length,
  };
}

async function send({ endpoint }: End, { qp, sendCq }: Queues, wr: EndpointSendWr): Promise<void> {
  await endpoint.call('postSend', { qp: qp.qp, wr });
  await completions(endpoint, sendCq, 1, wr.opcode);
}

const copy = async ({ endpoint, mr }: End, queues: Queues, from: number, offset: number, length: number) =>
  endpoint.call('performRounds', {
    ...{ qp: queues.qp.qp, sendCq: queues.sendCq, recvCq: queues.recvCq },
    moves: [{ move: 'copy', mr: mr.mr, from, offset, length }],
    ...{ rounds: 1, first: 0, wait: 'poll', timeoutMs: 1000 },
  });

/** Sends a control message. Resolves to the message as its receiver decodes it from memory. */
async function tell(from: End, to: End, control: Control): Promise<Control> {
  await writeBytes(from, OUT, encodeControl(control));
  const local = [{ mr: from.mr.mr, offset: OUT, length: CONTROL_BYTES }];
  await send(from, from.rendezvous, { opcode: 'SEND', local });
  await completions(to.endpoint, to.rendezvous.recvCq, 1, 'RECV');
  const told = decodeControl(await readBytes(to, IN, CONTROL_BYTES));
  await to.endpoint.call('postRecv', { qp: to.rendezvous.qp.qp, wr: controlRecv(to) });
  return told;
}

async function eager(ctx: Context, ends: Ends, size: number): Promise<After> {
  const { sender, receiver } = ends;
  const own = ownOf(ctx.params);
  await prepare(ctx, ends, size);
  await copy(sender, sender.eager, own, BOUNCE, size);
  const local = [{ mr: sender.mr.mr, offset: BOUNCE, length: size }];
  await send(sender, sender.eager, { opcode: 'SEND', local });
  await completions(receiver.endpoint, receiver.eager.recvCq, 1, 'RECV');
  await copy(receiver, receiver.eager, BOUNCE, own, size);
  await receiver.endpoint.call('postRecv', {
    qp: receiver.eager.qp.qp,
    wr: bounceRecv(receiver, ctx.params.largest),
  });
  return after(ctx, ends, size);
}

const offerOf = ({ params }: Context, end: End, length: number): Control => ({
  tag: TAG,
  length,
  ...remoteOf(end, ownOf(params)),
});

async function write(ctx: Context, ends: Ends, size: number): Promise<ByHand['write']> {
  const { sender, receiver } = ends;
  const own = ownOf(ctx.params);
  await prepare(ctx, ends, size);
  const before = await hashOf(receiver, own, size);
  const rts = await tell(sender, receiver, offerOf(ctx, sender, size));
  const untouchedBeforeCts = (await hashOf(receiver, own, size)) === before;
  const cts = await tell(receiver, sender, offerOf(ctx, receiver, rts.length));
  await send(sender, sender.rendezvous, {
    opcode: 'RDMA_WRITE_WITH_IMM',
    local: [{ mr: sender.mr.mr, offset: own, length: cts.length }],
    remote: { addr: cts.addr, rkey: cts.rkey },
    imm: READY,
  });
  const [ready] = await completions(receiver.endpoint, receiver.rendezvous.recvCq, 1, 'RECV');
  await receiver.endpoint.call('postRecv', { qp: receiver.rendezvous.qp.qp, wr: controlRecv(receiver) });
  return { ...(await after(ctx, ends, size)), untouchedBeforeCts, rts, cts, ready: ready! };
}

async function read(ctx: Context, ends: Ends, size: number): Promise<ByHand['read']> {
  const { sender, receiver } = ends;
  await prepare(ctx, ends, size);
  const rts = await tell(sender, receiver, offerOf(ctx, sender, size));
  await send(receiver, receiver.rendezvous, {
    opcode: 'RDMA_READ',
    local: [{ mr: receiver.mr.mr, offset: ownOf(ctx.params), length: rts.length }],
    remote: { addr: rts.addr, rkey: rts.rkey },
  });
  const found = await after(ctx, ends, size);
  const { sendCq, recvCq } = sender.rendezvous;
  const told = await Promise.all(
    [sendCq, recvCq].map(async (cq) => (await sender.endpoint.call('pollCq', { cq })).completions.length),
  );
  await tell(receiver, sender, offerOf(ctx, receiver, rts.length));
  return { ...found, silent: told.every((count) => count === 0) };
}

export async function transferByHand(ctx: Context, ends: Ends, size: number): Promise<ByHand> {
  return {
    eager: await inPhase(ctx, 'eager', 'Eager, message by message', () => eager(ctx, ends, size)),
    write: await inPhase(ctx, 'write', 'Rendezvous with WRITE, message by message', () =>
      write(ctx, ends, size),
    ),
    read: await inPhase(ctx, 'read', 'Rendezvous with READ, message by message', () => read(ctx, ends, size)),
  };
}

export function judgeByHand(ctx: Context, { eager, write, read }: ByHand, size: number): void {
  const { rts, cts, ready, untouchedBeforeCts } = write;
  ctx.figure('immediate', ready.imm ?? null);
  ctx.figure('copies-eager', eager.copies);
  ctx.figure('copies-rendezvous', Math.max(write.copies, read.copies));
  ctx.check(
    'waits',
    untouchedBeforeCts && rts.length === size && cts.tag === rts.tag,
    `The RTS announced ${formatCount(rts.length)} B with tag ${rts.tag}. Until the CTS, the receiver’s buffer ${untouchedBeforeCts ? 'did not change' : 'changed'}.`,
  );
  ctx.check(
    'ready',
    write.arrived && ready.imm === READY && ready.opcode === 'RECV_RDMA_WITH_IMM' && ready.byteLen === size,
    `After the CTS came ${ready.opcode} with immediate ${ready.imm} and byte_len ${formatCount(ready.byteLen)}. The whole message ${write.arrived ? 'was' : 'was not'} in the receiver’s buffer.`,
  );
  ctx.check(
    'bounce',
    eager.copies === 2 && write.copies === 0 && read.copies === 0,
    `Eager left the message in ${plural(eager.copies, 'bounce buffer')}, rendezvous with WRITE in ${write.copies} and with READ in ${read.copies}.`,
  );
  ctx.check(
    'fin',
    read.arrived && read.silent,
    `After the READ the message ${read.arrived ? 'was' : 'was not'} there, and the sender’s CQs were ${read.silent ? 'empty' : 'not empty'} until the receiver’s FIN.`,
  );
  ctx.outcome('copies', write.copies === 0 && read.copies === 0 ? 'none' : 'both');
}
