import { PATIENT } from '../endpoints/timeouts.js';
import { closeAll } from '../endpoints/scope.js';
import { AppError, type LabContext, type PacketSummary } from '@verbslab/protocol';
import { bth, decodePacket, LinkType, RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { connectSides, openSide, remoteOf } from '../endpoints/side.js';
import { startTap } from '../wire/tap.js';
import { completions } from '../endpoints/verbs.js';
import { ipVersionOf, packetBytes, type IpVersion } from '../wire/sizes.js';
import { compose, cutUp, joined, KINDS, type Captured, type Kind, type Part } from './compose.js';
import { NETWORKS } from './networks.js';
import type { EncapsulationsParams } from './params.js';
import { pauseFrame, pfcFrame } from './pause.js';

type Context = LabContext<EncapsulationsParams>;

const SEED = 7;
/** Class that networks often give to RDMA. */
const PRIORITY = 3;

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** Bytes in hexadecimal, two digits per byte: `0a 1b …`. */
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

interface Sent {
  packet: PacketSummary;
  bytes: Uint8Array;
  ip: IpVersion;
  gids: readonly [string, string];
  icrcOk: boolean;
}

/** Sends a WRITE. Returns its packet as the client’s device sent it. */
async function sendOne(ctx: Context): Promise<Sent> {
  const { size, link } = ctx.params;
  const access = ['LOCAL_WRITE' as const, 'REMOTE_WRITE' as const];
  const client = await openSide(ctx.endpoint('client'), { length: size, access, link });
  const server = await openSide(ctx.endpoint('server'), { length: size, access, link });
  const gids = [client.qp.info.gid, server.qp.info.gid] as const;
  const options = { mode: 'keep' as const, withBytes: true };
  if (!(await startTap(ctx, 'client', gids[0] === gids[1], options)))
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: 'The packets at the client cannot be captured.',
      cure: 'Use the embedded device at both ends, or SoftRoCE devices on two machines.',
    });
  await connectSides(ctx, [client, server], link, PATIENT);
  const { endpoint, mr } = client;
  await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed: SEED });
  await endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: { opcode: 'RDMA_WRITE', local: [{ mr: mr.mr }], remote: remoteOf(server) },
  });
  await completions(endpoint, client.cq, 1, 'RDMA_WRITE');
  const { list } = await endpoint.call('tap.stop', {});
  await closeAll(client, server);
  const packet = list.find(({ direction, opcode }) => direction === 'sent' && opcode === RC.writeOnly);
  if (packet?.hex === undefined)
    throw new AppError('INTERNAL', { detail: 'the capture has no packet of the WRITE' });
  return { packet, bytes: bytesOf(packet.hex), ip: ipVersionOf(gids[0]), gids, icrcOk: packet.icrcOk };
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0);

function show(ctx: Context, all: Record<Kind, Part[]>): void {
  const { size } = ctx.params;
  for (const kind of KINDS) {
    for (const { header, bytes, what } of all[kind])
      ctx.row('headers', { kind, header, size: bytes.length, bytes: hexOf(bytes), what });
    const total = sizeOf(all[kind]);
    ctx.row('totals', {
      kind,
      total,
      around: total - size,
      share: (100 * size) / total,
      ...NETWORKS[kind],
    });
  }
  ctx.figure('infiniband', sizeOf(all.InfiniBand));
  ctx.figure('roce-v1', sizeOf(all['RoCE v1']));
  ctx.figure('roce-v2', sizeOf(all['RoCE v2']));
  ctx.figure('iwarp', sizeOf(all.iWARP));
  const largest = KINDS.reduce((a, b) => (sizeOf(all[b]) > sizeOf(all[a]) ? b : a));
  ctx.outcome('largest', IDS[largest]);
  for (const [frame, bytes, what] of [
    ['PAUSE', pauseFrame(), 'Everything that the neighbor sends on this link'],
    [
      'PFC',
      pfcFrame(PRIORITY),
      `Only priority ${PRIORITY} of eight: bit ${PRIORITY} in 00 08, for the time ff ff`,
    ],
  ] as const)
    ctx.row('pause', { frame, what, bytes: hexOf(bytes) });
}

const IDS: Readonly<Record<Kind, string>> = {
  InfiniBand: 'infiniband',
  'RoCE v1': 'roce-v1',
  'RoCE v2': 'roce-v2',
  iWARP: 'iwarp',
};

const same = (a: Uint8Array, b: Uint8Array): boolean => hexOf(a) === hexOf(b);

/** True if a frame decodes to these headers, with the BTH and the payload of the run’s packet. */
function decodes(frame: Uint8Array, headers: readonly string[], captured: Captured): boolean {
  const { layers, error } = decodePacket(frame, LinkType.ETHERNET);
  const ids = layers.map(({ id }) => id as string);
  const offsetOf = (id: string): number => layers.find((layer) => layer.id === id)?.offset ?? frame.length;
  const [bthAt, at] = [offsetOf('bth'), offsetOf('payload')];
  return (
    !error &&
    headers.every((header) => ids.includes(header)) &&
    same(frame.subarray(bthAt, bthAt + bth.length), captured.bth) &&
    same(frame.subarray(at, at + captured.payload.length), captured.payload)
  );
}

function judge(
  ctx: Context,
  { packet, bytes, ip, icrcOk }: Sent,
  captured: Captured,
  all: Record<Kind, Part[]>,
): void {
  const { size } = ctx.params;
  const expected = packetBytes(RC.writeOnly, size, ip);
  const v2 = joined(all['RoCE v2'].slice(1, -1).map((part) => part.bytes));
  ctx.check(
    'captured',
    icrcOk && same(v2, bytes) && bytes.length === expected,
    `The packet with PSN ${packet.psn} has ${plural(bytes.length, 'byte')}, and its headers add up to ${expected}. Its ICRC is ${icrcOk ? 'right' : 'wrong'}.`,
  );
  const frame = (kind: Kind): Uint8Array => joined(all[kind].map((part) => part.bytes));
  const v1Right = decodes(frame('RoCE v1').slice(0, -4), ['grh', 'bth', 'reth'], captured);
  const v2Right = decodes(frame('RoCE v2').slice(0, -4), ['udp', 'bth', 'reth'], captured);
  ctx.check(
    'decoded',
    v1Right && v2Right,
    v1Right && v2Right
      ? 'The packet decoder finds the same BTH, RETH and payload in both versions of RoCE.'
      : `The packet decoder does not find the headers in ${v1Right ? 'RoCE v2' : 'RoCE v1'}.`,
  );
  // LRH, GRH, IP and what iWARP needs around its message; FCS, VCRC and CRCs included.
  const pad = -size & 3;
  const network = ip === 4 ? 20 : 40;
  const sums: Record<Kind, number> = {
    InfiniBand: 8 + 12 + 16 + size + pad + 4 + 2,
    'RoCE v1': 14 + 40 + 12 + 16 + size + pad + 4 + 4,
    'RoCE v2': 14 + network + 8 + 12 + 16 + size + pad + 4 + 4,
    iWARP: 14 + network + 20 + 2 + 14 + size + (-(16 + size) & 3) + 4 + 4,
  };
  const odd = KINDS.find((kind) => frame(kind).length !== sums[kind]);
  ctx.check(
    'sums',
    !odd,
    odd
      ? `${odd} has ${frame(odd).length} bytes instead of ${sums[odd]}.`
      : KINDS.map((kind) => `${kind} ${sums[kind]} B`).join(', ') + '.',
  );
}

export async function runEncapsulations(ctx: Context): Promise<void> {
  const sent = await sendOne(ctx);
  ctx.draining();
  const captured = cutUp(sent.bytes, sent.ip, ctx.params.size);
  const all = compose(captured, sent.gids);
  show(ctx, all);
  judge(ctx, sent, captured, all);
  ctx.answer(
    `A WRITE of ${ctx.params.size} B takes ${KINDS.map((kind) => `${sizeOf(all[kind])} B in ${kind}`).join(', ')}. InfiniBand and both versions of RoCE carry the same BTH, RETH and payload; only what is around them differs.`,
  );
}
