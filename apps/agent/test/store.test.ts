import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@verbslab/protocol';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openHome } from '../src/config/home.js';
import { CHUNK_FORMAT, encodeChunk, openChunk } from '../src/store/chunk.js';
import { interruptUnfinished } from '../src/runs/recover.js';
import { Queries } from '../src/store/queries.js';
import { RunStore } from '../src/store/store.js';
import { StreamReader } from '../src/store/stream-reader.js';
import { RunStream } from '../src/store/stream.js';
import { newHome } from './helpers/agent.js';

const items = fc.array(
  fc.record({ frame: fc.boolean(), bytes: fc.uint8Array({ maxLength: 50 }).map((b) => Buffer.from(b)) }),
  { maxLength: 20 },
);

const RUN = { lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} } as const;

/** A store that is closed when the test ends. */
function openStore(home = openHome(newHome())): RunStore {
  const store = RunStore.open(home);
  onTestFinished(() => store.close());
  return store;
}

/** Writes a chunk of events that tell their sequence numbers. */
function flush(store: RunStore, number: number, firstSeq: number, count = 1): void {
  const items = Array.from({ length: count }, (_, i) => ({
    frame: false,
    bytes: Buffer.from(JSON.stringify({ seq: firstSeq + i })),
  }));
  store.flush(number, {
    ...{ firstSeq, items, lastT: firstSeq },
    ...{ recordedBytes: 0, droppedRecords: 0, capture: null },
  });
}

describe('a chunk', () => {
  it('gives back what was put in, aligned for columns', () => {
    fc.assert(
      fc.property(items, (list) => {
        const opened = openChunk(encodeChunk(list));
        expect(list.map((_, index) => opened.at(index))).toEqual(list);
        expect(opened).toHaveLength(list.length);
      }),
    );
  });

  it('that is damaged is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          openChunk(Buffer.from(bytes));
        } catch (error) {
          expect((error as Error).message).toMatch(/^chunk/);
        }
      }),
    );
  });
});

describe('what another version wrote', () => {
  it('hides a run that cannot be read, names it, and leaves all others as they are', () => {
    const home = openHome(newHome());
    const store = openStore(home);
    const [first, second, third, last] = [1, 2, 3, 4].map(() => store.create(RUN));
    const raw = new Database(home.database);
    raw.prepare("update runs set result_json = '{' where id = ?").run(second!.id);
    raw.prepare("update runs set mode = 'backwards' where id = ?").run(third!.id);
    raw.close();
    const list = store.list({ limit: 10 });
    expect(list.runs.map(({ id }) => id)).toEqual([last!.id, first!.id]);
    expect(list).toMatchObject({ more: false, total: 4 });
    expect(list.unreadable).toEqual([
      {
        id: third!.id,
        number: third!.number,
        reason: expect.stringContaining('mode') as string,
      },
      { id: second!.id, number: second!.number, reason: expect.stringContaining('JSON') as string },
    ]);
    expect(() => store.get(second!.id)).toThrow(`The record of run ${second!.number} cannot be read`);
    // The unreadable runs had not finished either, and do not keep an agent from starting.
    expect(interruptUnfinished(store).map(({ id }) => id)).toEqual([first!.id, last!.id]);
    store.retention.delete(second!.id);
    expect(store.list({ limit: 10 })).toMatchObject({ total: 3, unreadable: [{ id: third!.id }] });
  });

  it('calls the parameters of the bulk lab by the names of today', () => {
    const home = openHome(newHome());
    const earlier = RunStore.open(home);
    const old = { size: 4_194_304, chunk: 65_536, depth: 8 };
    const { id } = earlier.create({ ...RUN, lab: 'bulk', parameters: old });
    const { id: today } = earlier.create({ ...RUN, lab: 'bulk', parameters: { size: 64, memory: 128 } });
    const { id: other } = earlier.create({ ...RUN, lab: 'other', parameters: { size: 1, chunk: 2 } });
    earlier.close();
    const raw = new Database(home.database);
    raw.exec("delete from kysely_migration where name > '002'; drop table lab_runs; drop table self_checks");
    raw.exec('drop table measurements; drop table sweeps; alter table runs drop column sweep_json');
    raw.exec('drop table notes; drop table run_tags');
    for (const column of ['imported', 'clock', 'parts', 'part_of'])
      raw.exec(`alter table runs drop column ${column}_json`);
    raw.close();
    const store = openStore(home);
    const parameters = (of: string) => store.get(of)?.parameters;
    expect(parameters(id)).toEqual({ memory: 4_194_304, size: 65_536, depth: 8 });
    expect(parameters(today)).toEqual({ size: 64, memory: 128 });
    expect(parameters(other)).toEqual({ size: 1, chunk: 2 });
  });

  it('leaves a database of a newer version as it is, and says so', () => {
    const home = openHome(newHome());
    RunStore.open(home).close();
    const raw = new Database(home.database);
    raw.exec("insert into kysely_migration values ('999-later', '')");
    expect(() => RunStore.open(home)).toThrow(/a newer version of Verbs Lab wrote it \(999-later\)/);
    raw.exec("delete from kysely_migration where name = '999-later'");
    raw.close();
    RunStore.open(home).close();
  });

  it('reads chunks without a format, and reports those of a newer one', () => {
    const home = openHome(newHome());
    const store = openStore(home);
    const { number } = store.create(RUN);
    for (const seq of [1, 2, 3, 4]) flush(store, number, seq);
    const raw = new Database(home.database);
    const bytesOf = (seq: number): Buffer =>
      (raw.prepare('select bytes from chunks where first_seq = ?').get(seq) as { bytes: Buffer }).bytes;
    const set = raw.prepare('update chunks set bytes = ? where first_seq = ?');
    set.run(bytesOf(1).subarray(8), 1);
    const newer = Buffer.from(bytesOf(2));
    newer.writeUInt32LE(CHUNK_FORMAT + 1, 4);
    set.run(newer, 2);
    // The chunk has fewer items than its row says.
    raw.prepare('update chunks set last_seq = 5 where first_seq = 4').run();
    raw.close();
    const reader = new StreamReader(store, number, null, 1);
    const read = Array.from({ length: 4 }, () => JSON.parse(reader.next()!.json!) as object);
    expect(read).toEqual([
      { seq: 1 },
      {
        seq: 2,
        t: 0,
        kind: 'log',
        level: 'error',
        text: expect.stringMatching(/^Items 2 to 2 .*format 2/) as string,
      },
      { seq: 3 },
      expect.objectContaining({
        seq: 5,
        text: expect.stringMatching(/^Items 4 to 5 .*holds 1 items instead of 2/) as string,
      }),
    ]);
    expect(reader.next()).toBeNull();
  });
});

describe('the store', () => {
  it('gives back a stream from any point, however it was cut into chunks', async () => {
    const store = openStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 }),
        fc.nat(60),
        async (cuts, from) => {
          const run = store.create(RUN);
          let seq = 1;
          for (const count of cuts) {
            flush(store, run.number, seq, count);
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

  it('opens an existing database again without touching its runs', () => {
    const home = openHome(newHome());
    const first = RunStore.open(home);
    const run = first.create({ ...RUN, device: 'd', parameters: { size: '1 GiB' } });
    first.save({ ...run, state: 'done', endedAt: 5 });
    first.close();
    const second = openStore(home);
    expect(second.get(run.id)).toEqual({ ...run, state: 'done', endedAt: 5 });
    expect(interruptUnfinished(second)).toEqual([]);
    expect(second.countByState()).toEqual({ done: 1 });
  });

  it('says that a file is damaged, and starts a new one beside it when asked to', () => {
    const home = openHome(newHome());
    writeFileSync(home.database, 'this is no database, and long enough to be looked at as one'.repeat(100));
    writeFileSync(join(home.captures, '0123456789.pcapng'), 'packets');
    expect(() => RunStore.open(home)).toThrow(
      expect.objectContaining({
        code: 'HISTORY_DAMAGED',
        info: expect.objectContaining({ cure: expect.stringContaining('--new-history') as string }) as object,
      }),
    );
    const aside = RunStore.setAside(home)!;
    expect(readFileSync(join(aside, 'runs.db'), 'utf8')).toMatch(/^this is no database/);
    expect(readFileSync(join(aside, 'captures', '0123456789.pcapng'), 'utf8')).toBe('packets');
    const store = openStore(home);
    expect(store.list({ limit: 10 })).toMatchObject({ runs: [], more: false, total: 0 });
    expect(store.retention.sortCaptures()).toEqual({ found: [], swept: [] });
  });

  it.each([0, 1, 99])('of %i bytes is damaged where captures exist, and these stay', (size) => {
    const home = openHome(newHome());
    writeFileSync(home.database, Buffer.alloc(size));
    const capture = join(home.captures, '0123456789.pcapng');
    writeFileSync(capture, 'packets');
    expect(() => RunStore.open(home)).toThrow(
      expect.objectContaining({
        code: 'HISTORY_DAMAGED',
        message: expect.stringContaining(`it has ${size} bytes`) as string,
      }),
    );
    expect(readFileSync(capture, 'utf8')).toBe('packets');
    RunStore.setAside(home);
    RunStore.open(home).close();
  });

  it('begins in an empty file where no capture exists', () => {
    const home = openHome(newHome());
    writeFileSync(home.database, '');
    RunStore.open(home).close();
  });

  it('reads what the first form of the database says of a capture', () => {
    const home = openHome(newHome());
    const first = RunStore.open(home);
    const run = first.create(RUN);
    first.close();
    const raw = new Database(home.database);
    const result = {
      lab: 'x',
      state: 'done',
      provider: null,
      device: null,
      parameters: {},
      transports: {},
      checks: [],
      captureFile: `/elsewhere/captures/${run.id}.pcapng`,
    };
    raw
      .prepare(
        "update runs set state = 'done', result_json = ?, capture_file = ?, capture_json = ? where id = ?",
      )
      .run(JSON.stringify(result), result.captureFile, '{"packets":1,"bytes":1,"dropped":0}', run.id);
    raw.close();
    const path = join(home.captures, `${run.id}.pcapng`);
    writeFileSync(path, 'x');
    const store = openStore(home);
    expect(store.captureFile(run.id)).toBe(path);
    expect(store.get(run.id)!.result!.captureFile).toBe(path);
    store.retention.delete(run.id);
    expect(existsSync(path)).toBe(false);
  });

  it('clears a deleted run away in turns, and gives its space back', async () => {
    const home = openHome(newHome());
    const store = openStore(home);
    const empty = pages(home.database);
    const run = filled(store, 24);
    expect(pages(home.database)).toBeGreaterThan(empty + 24 * 60);
    let turns = 0;
    let going = true;
    const count = (): void => {
      turns++;
      if (going) setImmediate(count);
    };
    store.retention.delete(run.id);
    expect([store.get(run.id), store.list({ limit: 10 }).runs, store.countByState()]).toEqual([null, [], {}]);
    setImmediate(count);
    await store.retention.cleared;
    going = false;
    // 24 chunks of 1 MiB, 1,500 pages: others had their turns in between.
    expect(turns).toBeGreaterThan(24);
    expect(pages(home.database)).toBeLessThan(empty + 10);
  });

  it('continues to free the space of runs that a killed agent deleted', async () => {
    const home = openHome(newHome());
    const first = RunStore.open(home);
    const empty = pages(home.database);
    first.retention.delete(filled(first, 8).id);
    first.close();
    const second = openStore(home);
    expect(second.list({ limit: 1 }).runs).toEqual([]);
    await second.retention.cleared;
    expect(pages(home.database)).toBeLessThan(empty + 10);
  });

  it('looks through the history for surplus with as many queries for many runs as for few', () => {
    const store = openStore();
    const queries = (): number => {
      const all = vi.spyOn(Queries.prototype, 'all');
      const get = vi.spyOn(Queries.prototype, 'get');
      store.retention.surplus({ runs: 1_000, bytes: 0 });
      const { length } = [...all.mock.calls, ...get.mock.calls];
      vi.restoreAllMocks();
      return length;
    };
    const few = queries();
    expect(few).toBeGreaterThan(0);
    for (let n = 0; n < 50; n++) store.create(RUN);
    expect(queries()).toBe(few);
  });

  it('names as surplus the oldest ended runs, never one in progress or the latest', () => {
    const store = openStore();
    const ids = Array.from({ length: 6 }, () => filled(store, 1).id);
    const live = store.create(RUN);
    const mib = 1024 * 1024;
    expect(store.retention.surplus({ runs: 0, bytes: 0 })).toEqual([]);
    expect(store.retention.surplus({ runs: 4, bytes: 0 })).toEqual(ids.slice(0, 3));
    expect(store.retention.surplus({ runs: 0, bytes: 2 * mib })).toEqual(ids.slice(0, 4));
    expect(store.retention.surplus({ runs: 1, bytes: 1 })).toEqual(ids.slice(0, 5));
    expect(store.retention.surplus({ runs: 1, bytes: 1 })).not.toContain(live.id);
  });
});

/** A run that has ended, with so many MiB of stream. */
function filled(store: RunStore, mib: number): RunRecord {
  const run = store.create(RUN);
  for (let seq = 1; seq <= mib; seq++)
    store.flush(run.number, {
      firstSeq: seq,
      items: [{ frame: true, bytes: Buffer.alloc(1024 * 1024, 1) }],
      lastT: seq,
      recordedBytes: seq * 1024 * 1024,
      droppedRecords: 0,
      capture: null,
    });
  const record: RunRecord = { ...run, state: 'done', endedAt: 5 };
  store.save(record);
  return record;
}

function pages(database: string): number {
  const raw = new Database(database, { readonly: true });
  const count = raw.pragma('page_count', { simple: true }) as number;
  raw.close();
  return count;
}

describe('a stream with a failing database', () => {
  it('says so once and still serves those who watch', () => {
    const store = RunStore.open(openHome(newHome()));
    const run = store.create(RUN);
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
