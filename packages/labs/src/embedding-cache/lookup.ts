/** Lookup of an id by a reader: a row of its cache, or a READ. */
import type { Owner } from '../endpoints/scope.js';
import { remoteOf } from '../endpoints/side.js';
import { completions, complete } from '../endpoints/verbs.js';
import { rowAt, type Context, type Ends, type Reader } from './endpoints.js';
import { LruCache } from './lru.js';
import type { Row } from './row.js';

/** READs one row into a slot. Resolves to the time from the post to the completion, ns. */
export async function readRow(
  { params }: Context,
  { endpoint, mr, toTable }: Reader,
  table: Owner,
  row: number,
  slot: number,
): Promise<number> {
  const { rowBytes } = params;
  return complete(
    { endpoint, qp: toTable.qp, cq: toTable.sendCq },
    {
      opcode: 'RDMA_READ',
      local: [{ mr: mr.mr, offset: slot * rowBytes, length: rowBytes }],
      remote: remoteOf(table, row * rowBytes),
    },
    { name: 'READ', what: 'READ of a row' },
  );
}

interface Missing {
  row: number;
  slot: number;
}

/** READs rows with one call, the last one signaled. The device does them in this order. */
async function readRows(
  { params }: Context,
  { endpoint, mr, toTable }: Reader,
  table: Owner,
  missing: readonly Missing[],
): Promise<void> {
  if (missing.length === 0) return;
  const { rowBytes } = params;
  await endpoint.call('postSendList', {
    qp: toTable.qp.qp,
    wrs: missing.map(({ row, slot }, i) => ({
      opcode: 'RDMA_READ' as const,
      local: [{ mr: mr.mr, offset: slot * rowBytes, length: rowBytes }],
      remote: remoteOf(table, row * rowBytes),
      signaled: i === missing.length - 1,
    })),
  });
  await completions(endpoint, toTable.sendCq, 1, 'READ');
}

/** A reader with its cache. */
export class CachedReader {
  readonly #ctx: Context;
  readonly #table: Owner;
  readonly reader: Reader;
  readonly cache: LruCache;

  constructor(ctx: Context, { table }: Ends, reader: Reader, slots: number) {
    this.#ctx = ctx;
    this.#table = table;
    this.reader = reader;
    this.cache = new LruCache(slots);
  }

  /** True for each id whose row was there, and whether the cache was full at that moment. */
  async lookupAll(rows: readonly number[]): Promise<{ hit: boolean; full: boolean }[]> {
    const missing: Missing[] = [];
    const found = rows.map((row) => {
      const { full } = this.cache;
      const hit = this.cache.find(row) !== undefined;
      if (!hit) missing.push({ row, slot: this.cache.place(row) });
      return { hit, full };
    });
    await readRows(this.#ctx, this.reader, this.#table, missing);
    return found;
  }

  /** Resolves to the slot of the row, which is READ if it is not there. */
  async lookup(row: number): Promise<number> {
    const found = this.cache.find(row);
    if (found !== undefined) return found;
    const slot = this.cache.place(row);
    await readRow(this.#ctx, this.reader, this.#table, row, slot);
    return slot;
  }

  /** The row that this reader would compute with. */
  async use(row: number): Promise<Row | null> {
    return rowAt(this.#ctx, this.reader, await this.lookup(row));
  }
}
