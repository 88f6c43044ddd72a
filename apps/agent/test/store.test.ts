import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../src/config/home.js';
import { decodeChunk, encodeChunk } from '../src/runs/chunk.js';
import { RunStore } from '../src/runs/store.js';
import { RunStream, StreamReader } from '../src/runs/stream.js';
import { newHome } from './helpers/agent.js';

const items = fc.array(
  fc.record({ frame: fc.boolean(), bytes: fc.uint8Array({ maxLength: 50 }).map((b) => Buffer.from(b)) }),
  { maxLength: 20 },
);

describe('a chunk', () => {
  it('gives back what was put in, aligned for columns', () => {
    fc.assert(
      fc.property(items, (list) => {
        const decoded = decodeChunk(encodeChunk(list));
        expect(decoded).toEqual(list);
      }),
    );
  });

  it('that is damaged is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          decodeChunk(Buffer.from(bytes));
        } catch (error) {
          expect((error as Error).message).toMatch(/^chunk/);
        }
      }),
    );
  });
});

async function openStore(): Promise<RunStore> {
  const store = await RunStore.open(openHome(newHome()));
  onTestFinished(() => store.close());
  return store;
}

describe('the store', () => {
  it('gives back a stream from any point, however it was cut into chunks', async () => {
    const store = await openStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 }),
        fc.nat(60),
        async (cuts, from) => {
          const run = store.create({ lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} });
          let seq = 1;
          for (const count of cuts) {
            const chunk = Array.from({ length: count }, (_, i) => ({
              frame: false,
              bytes: Buffer.from(JSON.stringify({ seq: seq + i })),
            }));
            store.flush(run.number, {
              firstSeq: seq,
              items: chunk,
              lastT: seq,
              recordedBytes: 0,
              droppedRecords: 0,
            });
            seq += count;
          }
          const reader = new StreamReader(store, run.number, null, from);
          const read: number[] = [];
          for (let item = reader.next(); item; item = reader.next()) {
            expect(JSON.parse(item.json!)).toEqual({ seq: item.seq });
            read.push(item.seq);
          }
          const first = Math.max(1, from);
          expect(read).toEqual(Array.from({ length: Math.max(0, seq - first) }, (_, i) => first + i));
          await Promise.resolve();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('opens an existing database again without touching its runs', async () => {
    const home = openHome(newHome());
    const first = await RunStore.open(home);
    const run = first.create({
      lab: 'x',
      title: 'X',
      mode: 'all',
      device: 'd',
      parameters: { size: '1 GiB' },
    });
    first.save({ ...run, state: 'done', endedAt: 5 }, null);
    first.close();
    const second = await RunStore.open(home);
    onTestFinished(() => second.close());
    expect(second.get(run.id)).toEqual({ ...run, state: 'done', endedAt: 5 });
    expect(second.interruptUnfinished()).toEqual([]);
    expect(second.countByState()).toEqual({ done: 1 });
  });

  it('says which file is the matter when it is not a database', async () => {
    const home = openHome(newHome());
    const { writeFileSync } = await import('node:fs');
    writeFileSync(home.database, 'this is no database, and long enough to be looked at as one'.repeat(100));
    await expect(RunStore.open(home)).rejects.toMatchObject({ code: 'DATA_DIRECTORY' });
  });
});

describe('a stream whose database fails', () => {
  it('says so once and still serves those who watch', async () => {
    const store = await RunStore.open(openHome(newHome()));
    const run = store.create({ lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} });
    const failures: Error[] = [];
    const stream = new RunStream({
      store,
      run: run.number,
      now: () => 1,
      onFailure: (error) => failures.push(error),
    });
    const reader = new StreamReader(store, run.number, stream, 1);
    stream.append({ kind: 'note', text: 'kept' });
    stream.flush();
    store.close();
    for (const text of ['a', 'b']) {
      stream.append({ kind: 'note', text });
      stream.flush();
    }
    stream.end();
    expect(failures).toHaveLength(1);
    expect([reader.next(), reader.next(), reader.next(), reader.next()].map((item) => item?.seq)).toEqual([
      1,
      2,
      3,
      undefined,
    ]);
  });
});
