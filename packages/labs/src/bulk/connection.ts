/** The RDMA side of the bulk lab: memory, queues, a connected pair of QPs, and what takes them apart. */
import type { Access, EndpointHandle, LabContext, Link } from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { policyOption } from '../endpoints/policy.js';
import { openOwner } from '../endpoints/scope.js';
import { announce, type Side as PlainSide } from '../endpoints/side.js';
import type { BulkParams } from './params.js';

/** RECVs that the target of SEND keeps posted, if its queue has room. */
const RX_DEPTH = 512;
const SEED = 20_261_120;
/** Small messages take turns in slots of whole cache lines. */
export const SLOT_BYTES = 64;

/**
 * 4.096 µs × 2^17: 0.54 s. With the usual 14 (67 ms) an end that is not scheduled for a while, on a busy host or an
 * emulated processor, counts as lost packets, and rxe has ended runs over what it then repeated.
 */
const ACK_TIMEOUT = 17;

export interface Side extends PlainSide {
  /** RECVs that a transfer of SENDs keeps posted. */
  rxDepth: number;
}

export interface Connection {
  client: Side;
  server: Side;
  /** Path MTU, bytes. */
  mtu: number;
  /** Link that carries the client's packets; null on a device that has one link only. */
  link: Link | null;
}

/** Bytes between the starts of two messages in memory. */
export const slotBytes = (message: number): number => Math.ceil(message / SLOT_BYTES) * SLOT_BYTES;

/** `link`: what both queue pairs ask for, where their devices offer a choice. */
export async function connect(
  ctx: LabContext<BulkParams>,
  link: 'udp' | 'auto' = 'udp',
): Promise<Connection> {
  const { params } = ctx;
  const client = await build(ctx.endpoint('client'), params, ['LOCAL_WRITE'], link);
  const server = await build(
    ctx.endpoint('server'),
    params,
    ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
    link,
  );
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    announce(ctx, from, to, from === server && params.operation !== 'send' ? from.mr : undefined);
    const options = { timeout: ACK_TIMEOUT };
    await to.endpoint.call('connectQp', { qp: to.qp.qp, remote: from.qp.info, options });
  }
  await fill(params.operation === 'read' ? server : client, params);
  return {
    client,
    server,
    mtu: Math.min(client.qp.info.mtu, server.qp.info.mtu),
    link: client.endpoint.has('link') ? await linkOf(client) : null,
  };
}

/** Link of a connected queue pair. */
export const linkOf = async ({ endpoint, qp }: Side): Promise<Link> =>
  (await endpoint.call('qpLink', { qp: qp.qp })).link;

async function build(
  endpoint: EndpointHandle,
  params: BulkParams,
  access: Access[],
  link: 'udp' | 'auto',
): Promise<Side> {
  const length = Math.max(params.memory, slotBytes(params.size));
  const owner = await openOwner(endpoint, length, access);
  // The RECVs that a transfer leaves posted stay, and the next one posts its own: each round, then the captured one.
  const transfers = params.repeat + 1;
  const rxDepth = Math.min(RX_DEPTH, Math.floor(endpoint.device.limits.maxQpWr / transfers));
  const recvs = params.operation === 'send' ? transfers * rxDepth : 1;
  const depth = Math.min(params.depth + recvs, endpoint.device.limits.maxCqe);
  const { cq } = await owner.scope.cq(depth, params.completionMode === 'event');
  const queues = { sendCq: cq, maxSendWr: params.depth, maxRecvWr: recvs };
  const qp = await owner.scope.qp(link, { ...queues, ...policyOption(params) });
  return { ...owner, cq, qp, rxDepth };
}

/** A pattern over all of the source; for SEND the same in each slot, since every message lands in the same place. */
async function fill({ endpoint, mr }: Side, params: BulkParams): Promise<void> {
  const message = params.size;
  if (params.operation !== 'send') {
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: mr.length, seed: SEED });
    return;
  }
  const slot = slotBytes(message);
  for (let offset = 0; offset + message <= mr.length && offset < SEND_SLOTS_BYTES; offset += slot)
    await endpoint.call('fillMemory', { mr: mr.mr, offset, length: message, seed: SEED });
}

/** Small SENDs take turns in the first page. */
const SEND_SLOTS_BYTES = 4096;

/** Compares the memory of both ends, which still holds the last messages. */
export async function compareMemory(
  { client, server }: Connection,
  params: BulkParams,
  moved: number,
): Promise<{ equal: boolean; bytes: number }> {
  const message = params.size;
  const whole = Math.floor(client.mr.length / slotBytes(message)) * slotBytes(message);
  // Gaps between messages that do not fill their slots are never written.
  const walked = params.operation !== 'send' && message % SLOT_BYTES === 0 && moved >= whole;
  const length = walked ? whole : message;
  const [a, b] = await Promise.all(
    [client, server].map(({ endpoint, mr }) => endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length })),
  );
  return { equal: a?.sha256 === b?.sha256, bytes: length };
}

/** An ordinary user may lock a few megabytes only; the embedded device then works with unlocked memory, and says so. */
export async function notePinning(ctx: LabContext<BulkParams>, { endpoint }: Side): Promise<void> {
  if (!endpoint.has('pinned')) return;
  const { unpinnedBytes, memlockLimit } = await endpoint.call('pinned', {});
  if (unpinnedBytes === 0) return;
  ctx.note(
    `${formatBytes(unpinnedBytes)} of registered memory are not locked, since this user may lock ` +
      `${memlockLimit === null ? 'no more' : `only ${formatBytes(memlockLimit)}`}. The lab runs anyway; a kernel device would refuse. ` +
      'Raise the limit with `ulimit -l` to lock everything.',
  );
}
