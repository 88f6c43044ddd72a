/** A request of the client, held back, altered, and sent in its place. */
import { closeAll } from '../endpoints/scope.js';
import {
  AppError,
  type EndpointArgs,
  type EndpointHandle,
  type LabContext,
  type PacketSummary,
} from '@verbslab/protocol';
import { isNak, opcodeInfo, psnDistance, RC } from '@verbslab/roce';
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { growth } from '../failures/evidence.js';
import { connectSides, openSide, remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import type { PacketWatch } from '../wire/packet-watch.js';
import { alter, type Altered } from './alter.js';
import type { Edit } from './edit.js';
import { editableOf, LONGEST_PAYLOAD, PACKET_OPCODES, type PacketKind } from './fields.js';
import type { HeaderExplorerParams } from './params.js';
import {
  answersOf,
  arrivals,
  changedSpan,
  dropCounter,
  judge,
  NEVER_ARRIVED,
  type Observed,
} from './verdict.js';

type Context = LabContext<HeaderExplorerParams>;

/** Bytes of each region; where in the server's the request points; and how many it moves. */
export const REGION = 4096;
export const TARGET = 1024;
export const LENGTH = 64;
/** No byte is zero, so that each one that arrives in zeroed memory changes it. */
const DATA = Uint8Array.from({ length: REGION }, (_, i) => 1 + (i % 250));
/** Wait for a packet or an answer that should come, ms. */
const PATIENCE_MS = 3000;
/** Wait for an answer that need not come, ms. */
const MAYBE_MS = 50;

export interface Exchange extends Altered {
  /** The request as its device sent it, from the IP header on. */
  captured: Uint8Array;
  observed: Observed;
  /** The client’s tap shows the altered packet, byte for byte. */
  sentAsMeant: boolean;
}

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const countersOf = async (endpoint: EndpointHandle) =>
  (await endpoint.call('counters', { when: 'sample', quiet: true })).values;

/** Calls `found` until it returns something, for at most `ms`; null after that. */
async function until<T>(ctx: Context, ms: number, found: () => Promise<T | null>): Promise<T | null> {
  const end = ctx.now() + ms * 1e6;
  for (;;) {
    const one = await found();
    if (one !== null || ctx.now() > end) return one;
    ctx.signal.throwIfAborted();
  }
}

function requestOf(kind: PacketKind, client: Side, server: Side): EndpointArgs<'postSend'>['wr'] {
  const local = [{ mr: client.mr.mr, length: LENGTH }];
  const remote = remoteOf(server, TARGET);
  switch (kind) {
    case 'write':
      return { opcode: 'RDMA_WRITE', local, remote };
    case 'read':
      return { opcode: 'RDMA_READ', local, remote };
    case 'send':
      return { opcode: 'SEND', local };
    case 'fetch-add':
      return {
        opcode: 'ATOMIC_FETCH_AND_ADD',
        local: [{ mr: client.mr.mr, length: 8 }],
        remote,
        add: '0x1',
      };
  }
}

/** A connection on which one WRITE has been executed already, so that the PSN before is one that was used. */
async function open(ctx: Context, kind: PacketKind): Promise<[Side, Side]> {
  const { link } = ctx.params;
  const access: EndpointArgs<'regMr'>['access'] = [
    'LOCAL_WRITE',
    'REMOTE_WRITE',
    'REMOTE_READ',
    'REMOTE_ATOMIC',
  ];
  const options = { length: REGION, access, link, depth: 4 };
  const client = await openSide(ctx.endpoint('client'), options);
  const server = await openSide(ctx.endpoint('server'), options);
  // Without a timeout the client sends nothing by itself while its request is held back.
  const connect = { mtu: LONGEST_PAYLOAD, timeout: 0 } as const;
  await connectSides(ctx, [client, server], link, connect);
  await writeBytes(client, 0, DATA);
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: requestOf('write', client, server) });
  await completions(client.endpoint, client.cq, 1, 'RDMA_WRITE');
  await writeBytes(server, 0, new Uint8Array(REGION));
  if (kind === 'send')
    await server.endpoint.call('postRecv', {
      qp: server.qp.qp,
      wr: { local: [{ mr: server.mr.mr, offset: TARGET, length: LENGTH }] },
    });
  return [client, server];
}

/** Posts the request and keeps its packet from leaving. */
async function holdBack(
  ctx: Context,
  kind: PacketKind,
  [client, server]: [Side, Side],
  watch: PacketWatch,
): Promise<PacketSummary & { hex: string }> {
  await client.endpoint.call('faults', { rules: [{ action: 'drop', qpn: server.qp.info.qpn }] });
  await watch.take();
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: requestOf(kind, client, server) });
  const packet = await until(ctx, PATIENCE_MS, async () => {
    const list = await watch.take();
    return (
      list.find(({ direction, opcode }) => direction === 'sent' && opcode === PACKET_OPCODES[kind]) ?? null
    );
  });
  if (!packet?.hex) throw new AppError('INTERNAL', { detail: 'the client’s packet was not captured' });
  return { ...packet, hex: packet.hex };
}

/** True if an answer ends the client's request, so that a completion must come. */
function ends(answer: PacketSummary | null, psn: number): boolean {
  if (!answer) return false;
  const { opcode, syndrome } = answer;
  // NAKs for a sequence error and RNR NAKs ask for another try.
  if (isNak(syndrome)) return syndrome! >> 5 === 3 && (syndrome! & 0x1f) !== 0;
  const last = opcode === RC.acknowledge || (opcodeInfo(opcode)?.last ?? false);
  return last && psnDistance(psn, answer.psn) >= 0;
}

/** A request that comes late, for a QPN that an earlier packet was sent to, is no answer. */
const answerIn = (packets: readonly PacketSummary[]): PacketSummary | null =>
  packets.find(({ direction, opcode }) => direction === 'received' && opcodeInfo(opcode)?.request !== true) ??
  null;

async function observe(
  ctx: Context,
  [client, server]: [Side, Side],
  watch: PacketWatch,
  psn: number,
  altered: Altered,
): Promise<{ observed: Observed; sentAsMeant: boolean }> {
  const earlier = await countersOf(server.endpoint);
  const memory = await readBytes(server, 0, REGION);
  const hex = hexOf(altered.bytes);
  const seen: PacketSummary[] = [];
  await client.endpoint.call('sendPacket', { qp: client.qp.qp, hex });
  const arrived = await until(ctx, PATIENCE_MS, async () => {
    const now = await countersOf(server.endpoint);
    return arrivals(now) > arrivals(earlier) ? now : null;
  });
  const sentAsMeant = (): boolean => seen.some((one) => one.direction === 'sent' && one.hex?.endsWith(hex));
  if (!arrived) {
    seen.push(...(await watch.take()));
    return { observed: NEVER_ARRIVED, sentAsMeant: sentAsMeant() };
  }
  const dropped = dropCounter(growth(earlier, arrived)!) !== null;
  const due = answersOf(arrived) > answersOf(earlier);
  const came =
    dropped && !due
      ? null
      : await until(ctx, due ? PATIENCE_MS : MAYBE_MS, async () => {
          seen.push(...(await watch.take()));
          return answerIn(seen);
        });
  const must = ends(came, psn);
  const { completions: found } = await client.endpoint.call('waitCq', {
    cq: client.cq,
    count: 1,
    timeoutMs: must ? PATIENCE_MS : 0,
  });
  const grown = growth(earlier, await countersOf(server.endpoint))!;
  const span = changedSpan(memory, await readBytes(server, 0, REGION));
  seen.push(...(await watch.take()));
  return {
    // Also an answer that was not due: a dropped packet must get none.
    observed: judge(grown, came ?? answerIn(seen), span, found[0]?.status ?? null),
    sentAsMeant: sentAsMeant(),
  };
}

/** Sends an altered request over a new connection: the effect of one packet must not change the next. */
export async function exchange(
  ctx: Context,
  kind: PacketKind,
  watch: PacketWatch,
  edits: readonly Edit[],
): Promise<Exchange> {
  const sides = await open(ctx, kind);
  try {
    const packet = await holdBack(ctx, kind, sides, watch);
    const captured = bytesOfHex(packet.hex);
    const altered = alter(captured, edits, editableOf(kind));
    return { ...altered, captured, ...(await observe(ctx, sides, watch, packet.psn, altered)) };
  } finally {
    await sides[0].endpoint.call('faults', {});
    await closeAll(...sides);
  }
}
