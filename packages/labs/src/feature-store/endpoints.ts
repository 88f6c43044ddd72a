/** A store that only has memory, a writer that adds rows to it, and a reader. */
import type { ConnectOptions, LabContext } from '@verbslab/protocol';
import { complete } from '../endpoints/verbs.js';
import { readBytes, writeBytes, readWord, WORD_BYTES, writeWord } from '../endpoints/memory.js';
import { HELD_ACK_TIMEOUT } from '../load/posting.js';
import { connectSides, openSide, remoteOf, type Side } from '../endpoints/side.js';
import type { FeatureStoreParams } from './params.js';
import { encodeRow, rowBytes, rowPlace, storeBytes } from './row.js';

export type Context = LabContext<FeatureStoreParams>;

/** Rows have more packets than one at this path MTU. The timeout is for the packets that the lab drops for a while. */
const OPTIONS: ConnectOptions = { mtu: 256, timeout: HELD_ACK_TIMEOUT };

export interface Ends {
  /** The writer’s memory: the watermark, then the writer's own row in the first row’s place. */
  writer: Side;
  reader: Side;
  /** The store, with its end of the writer’s connection. */
  store: Side;
  /** The store’s end of the reader’s connection. */
  forReader: { qp: Side['qp']; cq: number };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const { params } = ctx;
  const { link } = params;
  const own = rowPlace(params, 2);
  const writer = await openSide(ctx.endpoint('writer'), { length: own, access: ['LOCAL_WRITE'], link });
  const reader = await openSide(ctx.endpoint('reader'), { length: own, access: ['LOCAL_WRITE'], link });
  const store = await openSide(ctx.endpoint('store'), {
    length: storeBytes(params),
    access: ['LOCAL_WRITE', 'REMOTE_READ', 'REMOTE_WRITE'],
    link,
  });
  const { endpoint, scope } = store;
  const { cq } = await scope.cq(16);
  const qp = await scope.qp(link, { sendCq: cq, maxSendWr: 4, maxRecvWr: 4 });
  await connectSides(ctx, [writer, store], link, OPTIONS);
  await connectSides(ctx, [reader, { endpoint, qp }], link, OPTIONS);
  return { writer, reader, store, forReader: { qp, cq } };
}

interface Transfer {
  opcode: 'RDMA_WRITE' | 'RDMA_READ';
  /** Offset in the own memory. */
  from: number;
  length: number;
  /** Offset in the store. */
  at: number;
}

/** Posts a request and waits for its completion. Resolves to the time that both took, ns. */
export const transfer = (side: Side, store: Side, { opcode, from, length, at }: Transfer): Promise<number> =>
  complete(side, {
    opcode,
    local: [{ mr: side.mr.mr, offset: from, length }],
    remote: remoteOf(store, at),
  });

/** Sets the watermark to 0 and removes all rows. */
export async function clear({ params }: Context, { store }: Ends): Promise<void> {
  for (let epoch = 1; epoch <= params.epochs; epoch++)
    await writeBytes(store, rowPlace(params, epoch), new Uint8Array(rowBytes(params)));
  await writeWord(store, 0, 0n);
}

/** Writes the row and the watermark of this epoch to the writer's own memory. */
export async function prepare({ params }: Context, { writer }: Ends, epoch: number): Promise<void> {
  await writeWord(writer, 0, BigInt(epoch));
  await writeBytes(writer, rowPlace(params, 1), encodeRow(params, epoch));
}

export const writeWatermark = ({ writer, store }: Ends): Promise<number> =>
  transfer(writer, store, { opcode: 'RDMA_WRITE', from: 0, length: WORD_BYTES, at: 0 });

export const writeGroup = ({ params }: Context, { writer, store }: Ends, epoch: number, group: number) =>
  transfer(writer, store, {
    opcode: 'RDMA_WRITE',
    from: rowPlace(params, 1) + group * params.groupBytes,
    length: params.groupBytes,
    at: rowPlace(params, epoch) + group * params.groupBytes,
  });

export async function readWatermark({ reader, store }: Ends): Promise<number> {
  await transfer(reader, store, { opcode: 'RDMA_READ', from: 0, length: WORD_BYTES, at: 0 });
  return Number(await readWord(reader, 0));
}

export async function readRow(
  { params }: Context,
  { reader, store }: Ends,
  epoch: number,
): Promise<Uint8Array> {
  const own = rowPlace(params, 1);
  const length = rowBytes(params);
  await transfer(reader, store, { opcode: 'RDMA_READ', from: own, length, at: rowPlace(params, epoch) });
  return readBytes(reader, own, length);
}
