/** Four ways to change a row that is in every cache, each with its steps in the same order every time. */
import { completions } from '../endpoints/verbs.js';
import { writeBytes } from '../endpoints/memory.js';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import { rowAt, type Context, type Ends, type Reader } from './endpoints.js';
import { CachedReader, readRow } from './lookup.js';
import { encodeRow } from './row.js';

export interface Way {
  id: 'completion' | 'acknowledged' | 'too-early' | 'under-way';
  title: string;
  /** Steps of the trainer and the readers. */
  update: (one: Changing) => Promise<void>;
}

export interface Found {
  way: Way;
  lookups: number;
  /** Lookups after the update that gave a reader an older version than the table has. */
  stale: number;
}

/** Rows that are changed, one after the other. */
const CHANGED = 3;

/** A change of a row. */
class Changing {
  readonly #ctx: Context;
  readonly #ends: Ends;
  readonly #row: number;
  readonly #version: number;
  readonly readers: CachedReader[];

  constructor(ctx: Context, ends: Ends, readers: CachedReader[], row: number, version: number) {
    this.#ctx = ctx;
    this.#ends = ends;
    this.#row = row;
    this.#version = version;
    this.readers = readers;
  }

  /** A WRITE of the new version into the table, until its completion. */
  async write(): Promise<void> {
    const { endpoint, mr, toTable } = this.#ends.trainer;
    const { rowBytes } = this.#ctx.params;
    await writeBytes({ endpoint, mr }, 0, encodeRow({ row: this.#row, version: this.#version }, rowBytes));
    const remote = remoteOf(this.#ends.table, this.#row * rowBytes);
    const local = [{ mr: mr.mr, offset: 0, length: rowBytes }];
    await endpoint.call('postSend', { qp: toTable.qp.qp, wr: { opcode: 'RDMA_WRITE', local, remote } });
    await completions(endpoint, toTable.sendCq, 1, 'RDMA WRITE');
  }

  /** A WRITE_WITH_IMM without data to every reader, until their completions. The immediate is the row. */
  async invalidate(): Promise<void> {
    const { trainer, readers } = this.#ends;
    for (const [i, { qp, sendCq }] of trainer.toReaders.entries()) {
      const wr = { opcode: 'RDMA_WRITE_WITH_IMM' as const, remote: remoteOf(readers[i]!), imm: this.#row };
      await trainer.endpoint.call('postSend', { qp: qp.qp, wr });
      await completions(trainer.endpoint, sendCq, 1, 'RDMA WRITE with immediate');
    }
  }

  /** Every reader takes its notification, drops the row and answers; the trainer waits for all answers. */
  async dropAndAnswer(): Promise<void> {
    const { trainer } = this.#ends;
    for (const [i, { reader, cache }] of this.readers.entries()) {
      await notified(reader, (row) => cache.drop(row));
      const { qp, sendCq } = reader.toTrainer;
      const wr = { opcode: 'SEND_WITH_IMM' as const, imm: this.#row };
      await reader.endpoint.call('postSend', { qp: qp.qp, wr });
      await completions(reader.endpoint, sendCq, 1, 'SEND with immediate');
      const back = trainer.toReaders[i]!;
      await completions(trainer.endpoint, back.recvCq, 1, 'RECV');
      await trainer.endpoint.call('postRecv', { qp: back.qp.qp, wr: {} });
    }
  }

  async dropLate(): Promise<void> {
    for (const { reader, cache } of this.readers) await notified(reader, (row) => cache.drop(row));
  }

  /** Every reader looks the row up, and READs it if it has dropped it. */
  async lookup(): Promise<void> {
    for (const one of this.readers) await one.lookup(this.#row);
  }

  forget(): void {
    for (const { cache } of this.readers) cache.drop(this.#row);
  }

  /** READs the row without a look at the cache. */
  async read(slotOf: (one: CachedReader) => number): Promise<void> {
    for (const one of this.readers)
      await readRow(this.#ctx, one.reader, this.#ends.table, this.#row, slotOf(one));
  }

  /** Moves the row of an earlier `read` into the cache. */
  async install(from: (one: CachedReader) => number): Promise<void> {
    const { rowBytes } = this.#ctx.params;
    for (const one of this.readers) {
      const { endpoint, mr } = one.reader;
      const slot = one.cache.place(this.#row);
      const { base64 } = await endpoint.call('readMemory', {
        mr: mr.mr,
        offset: from(one) * rowBytes,
        length: rowBytes,
      });
      await endpoint.call('writeMemory', { mr: mr.mr, offset: slot * rowBytes, base64 });
    }
  }

  /** Readers whose lookup now gives an older version than the table has. */
  async stale(): Promise<number> {
    const now = await rowAt(this.#ctx, this.#ends.table, this.#row);
    let stale = 0;
    for (const one of this.readers) {
      const used = await one.use(this.#row);
      if (!now || !used || used.version < now.version) stale++;
    }
    return stale;
  }
}

/** Takes the notification of a reader and posts the RECV for the next one. */
async function notified({ endpoint, toTrainer }: Reader, drop: (row: number) => void): Promise<void> {
  const [wc] = await completions(endpoint, toTrainer.recvCq, 1, 'RECV');
  await endpoint.call('postRecv', { qp: toTrainer.qp.qp, wr: {} });
  if (wc?.imm !== undefined) drop(wc.imm);
}

/** Slot behind those of the cache. */
const SPARE = (slots: number) => (): number => slots;

const WAYS = (slots: number): Way[] => [
  {
    id: 'completion',
    title: 'WRITE, invalidate, trust the completion',
    update: async (one) => {
      await one.lookup();
      await one.write();
      await one.invalidate();
    },
  },
  {
    id: 'acknowledged',
    title: 'WRITE, invalidate, wait for the answers',
    update: async (one) => {
      await one.lookup();
      await one.write();
      await one.invalidate();
      await one.dropAndAnswer();
    },
  },
  {
    id: 'too-early',
    title: 'Invalidate, wait for the answers, WRITE',
    update: async (one) => {
      await one.lookup();
      await one.invalidate();
      await one.dropAndAnswer();
      // Another request for the same id comes in between.
      await one.lookup();
      await one.write();
    },
  },
  {
    id: 'under-way',
    title: 'The same as the second, but a READ from before the WRITE is installed afterwards',
    update: async (one) => {
      one.forget();
      await one.read(SPARE(slots));
      await one.write();
      await one.invalidate();
      await one.dropAndAnswer();
      await one.install(SPARE(slots));
    },
  },
];

export async function changeRows(ctx: Context, ends: Ends, slots: number): Promise<Found[]> {
  for (const { endpoint, toTrainer } of ends.readers)
    await endpoint.call('postRecv', { qp: toTrainer.qp.qp, wr: {} });
  for (const { qp } of ends.trainer.toReaders)
    await ends.trainer.endpoint.call('postRecv', { qp: qp.qp, wr: {} });
  const found: Found[] = [];
  for (const [i, way] of WAYS(slots).entries()) {
    const readers = ends.readers.map((reader) => new CachedReader(ctx, ends, reader, slots));
    const stale = await inPhase(ctx, way.id, way.title, async () => {
      let count = 0;
      for (let row = 0; row < CHANGED; row++) {
        const one = new Changing(ctx, ends, readers, row, i + 1);
        await way.update(one);
        count += await one.stale();
        if (way.id === 'completion') await one.dropLate();
      }
      return count;
    });
    found.push({ way, lookups: CHANGED * readers.length, stale });
  }
  return found;
}
