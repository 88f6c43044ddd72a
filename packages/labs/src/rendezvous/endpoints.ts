/** A sender and a receiver with one region each, and a connection for each way. */
import type { LabContext } from '@verbslab/protocol';
import { PATIENT_WITH_RECVS } from '../endpoints/timeouts.js';
import { openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';
import { CONTROL_BYTES } from './control.js';
import type { RendezvousParams } from './params.js';

export type Context = LabContext<RendezvousParams>;

const LINE = 64;
/** Offsets of the parts of a region: control messages out and in, bounce buffer, then the program’s own buffer. */
export const OUT = 0;
export const IN = LINE;
export const BOUNCE = 2 * LINE;
export const ownOf = ({ largest }: Pick<RendezvousParams, 'largest'>): number =>
  BOUNCE + Math.ceil(largest / LINE) * LINE;

/** RECVs for control messages: two can be on their way. */
export const CONTROL_RECVS = 2;
const DEPTH = 16;

export interface End extends Owner {
  /** Queues whose RECVs have the bounce buffer. */
  eager: Queues;
  /** Queues whose RECVs have room for a control message. */
  rendezvous: Queues;
  /** Queues for a message that is too long; the QP ends in ERR. */
  doomed: Queues;
}

export interface Ends {
  sender: End;
  receiver: End;
}

const CONNECTIONS = ['eager', 'rendezvous', 'doomed'] as const;

async function open(ctx: Context, name: string): Promise<End> {
  const { params } = ctx;
  const owner = await openOwner(ctx.endpoint(name), 2 * ownOf(params) - BOUNCE, [
    'LOCAL_WRITE',
    'REMOTE_WRITE',
    'REMOTE_READ',
  ]);
  const queues = (): Promise<Queues> => owner.scope.queues(params.link, DEPTH);
  return {
    ...owner,
    eager: await queues(),
    rendezvous: await queues(),
    doomed: await queues(),
  };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const [sender, receiver] = [await open(ctx, 'sender'), await open(ctx, 'receiver')];
  for (const name of CONNECTIONS) {
    const ends = [sender, receiver].map(({ endpoint, [name]: { qp } }) => ({ endpoint, qp }));
    await connectSides(ctx, [ends[0]!, ends[1]!], ctx.params.link, PATIENT_WITH_RECVS);
  }
  return { sender, receiver };
}

/** RECV of a control message. The data of a WRITE_WITH_IMM does not go there. */
export const controlRecv = ({ mr }: End) => ({
  local: [{ mr: mr.mr, offset: IN, length: CONTROL_BYTES }],
});

/** RECV of an eager message of any size. */
export const bounceRecv = ({ mr }: End, largest: number) => ({
  local: [{ mr: mr.mr, offset: BOUNCE, length: largest }],
});

/** The RECVs that all transfers of the run start with; each one that is taken is replaced. */
export async function postFirstRecvs({ params }: Context, { sender, receiver }: Ends): Promise<void> {
  for (const end of [sender, receiver])
    await end.endpoint.call('postRecv', {
      qp: end.rendezvous.qp.qp,
      wr: controlRecv(end),
      count: CONTROL_RECVS,
    });
  // The answer to an eager message has no bytes.
  await sender.endpoint.call('postRecv', { qp: sender.eager.qp.qp, wr: {} });
  const wr = bounceRecv(receiver, params.largest);
  await receiver.endpoint.call('postRecv', { qp: receiver.eager.qp.qp, wr });
}
