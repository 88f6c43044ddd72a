/** A table in the memory of a server, readers with a cache each, and a trainer that changes rows. */
import { MEMORY_PIECE_BYTES, type Access, type LabContext } from '@verbslab/protocol';
import { readBytes, writeBytes } from '../endpoints/memory.js';
import { PATIENT } from '../endpoints/timeouts.js';
import { openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { connectSides } from '../endpoints/side.js';
import type { EmbeddingCacheParams } from './params.js';
import { decodeRow, encodeRow, type Row } from './row.js';

export type Context = LabContext<EmbeddingCacheParams>;

/** A QP of a connection, with its CQs. */
export type Port = Queues;

export interface Reader extends Owner {
  toTable: Port;
  toTrainer: Port;
}

export interface Trainer extends Owner {
  toTable: Port;
  /** Ports of the connections to the readers, in the readers' order. */
  toReaders: Port[];
}

export interface Ends {
  table: Owner & { gid: string };
  readers: Reader[];
  trainer: Trainer;
}

/** Slots of the largest cache that is measured. */
export const largestCache = ({ rows, slots }: EmbeddingCacheParams): number => Math.min(rows, 4 * slots);

const own = (ctx: Context, name: string, length: number, access: Access[]): Promise<Owner> =>
  openOwner(ctx.endpoint(name), length, ['LOCAL_WRITE', ...access]);

const openPort = ({ params }: Context, { scope }: Owner): Promise<Port> => scope.queues(params.link);

async function connect(ctx: Context, a: Owner, b: Owner): Promise<[Port, Port]> {
  const ports: [Port, Port] = [await openPort(ctx, a), await openPort(ctx, b)];
  const ends = [
    { endpoint: a.endpoint, qp: ports[0].qp },
    { endpoint: b.endpoint, qp: ports[1].qp },
  ] as const;
  await connectSides(ctx, ends, ctx.params.link, PATIENT);
  return ports;
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const { params } = ctx;
  const { rows, rowBytes } = params;
  const table = await own(ctx, 'table', rows * rowBytes, ['REMOTE_READ', 'REMOTE_WRITE']);
  const trainer = await own(ctx, 'trainer', rowBytes, []);
  const [toTable, atTable] = await connect(ctx, trainer, table);
  const ends: Ends = {
    table: { ...table, gid: atTable.qp.info.gid },
    readers: [],
    trainer: { ...trainer, toTable, toReaders: [] },
  };
  for (const { name } of ctx.endpoints('reader')) {
    // An extra slot for a READ of a row that is not in the cache yet.
    const owner = await own(ctx, name, (largestCache(params) + 1) * rowBytes, []);
    const [readerToTable] = await connect(ctx, owner, table);
    const [toTrainer, toReader] = await connect(ctx, owner, trainer);
    ends.trainer.toReaders.push(toReader);
    ends.readers.push({ ...owner, toTable: readerToTable, toTrainer });
  }
  return ends;
}

/** All rows with version 0. */
export async function fillTable({ params }: Context, { table }: Ends): Promise<void> {
  const { rows, rowBytes } = params;
  const atOnce = Math.floor(MEMORY_PIECE_BYTES / rowBytes);
  for (let first = 0; first < rows; first += atOnce) {
    const count = Math.min(atOnce, rows - first);
    const bytes = new Uint8Array(count * rowBytes);
    for (let i = 0; i < count; i++)
      bytes.set(encodeRow({ row: first + i, version: 0 }, rowBytes), i * rowBytes);
    await writeBytes(table, first * rowBytes, bytes);
  }
}

/** The first rows in the memory of an endpoint; null where the bytes do not fit together. */
export async function rowsAt({ params }: Context, owner: Owner, count: number): Promise<(Row | null)[]> {
  const { rowBytes } = params;
  const atOnce = Math.floor(MEMORY_PIECE_BYTES / rowBytes);
  const rows: (Row | null)[] = [];
  for (let first = 0; first < count; first += atOnce) {
    const some = Math.min(atOnce, count - first);
    const bytes = await readBytes(owner, first * rowBytes, some * rowBytes);
    for (let i = 0; i < some; i++) rows.push(decodeRow(bytes.subarray(i * rowBytes, (i + 1) * rowBytes)));
  }
  return rows;
}

/** The row in the memory of an endpoint, as its program sees it; null if its bytes do not fit together. */
export const rowAt = async ({ params }: Context, owner: Owner, place: number): Promise<Row | null> =>
  decodeRow(await readBytes(owner, place * params.rowBytes, params.rowBytes));
