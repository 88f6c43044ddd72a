import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import {
  AppError,
  errorInfo,
  isFinal,
  issueText,
  RUN_STATES,
  zRunRecord,
  type RunEvent,
  type RunRecord,
} from '@verbslab/protocol';
import { z } from 'zod';
import { Kysely, SqliteDialect, type CompiledQuery } from 'kysely';
import type { Home } from '../config/home.js';
import { storageError } from '../config/storage.js';
import { capturedRuns, captureName, capturePath, countCapture } from './capture-files.js';
import { encodeChunk, type ChunkItem } from './chunk.js';
import { migrate, type RunRow, type Schema } from './schema.js';

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const newId = (): string => Array.from({ length: 10 }, () => ID_ALPHABET[randomInt(36)]).join('');

/** Rows of this state have been deleted and are being cleared away; they are in no list. */
const REMOVED = 'removed';
/** What is cleared away in one turn of the event loop: chunks of about 1 MiB, and pages of 4 KiB. */
const CHUNKS_PER_TURN = 2;
const PAGES_PER_TURN = 256;
/** The log of changes is cut back to this after it had to grow. */
const WAL_BYTES = 16 * 1024 * 1024;
const RESERVE = Buffer.alloc(1024 * 1024, 0x76);

export interface NewRun {
  lab: string;
  title: string;
  mode: RunRecord['mode'];
  device: string | null;
  parameters: RunRecord['parameters'];
}

export interface RunQuery {
  limit: number;
  before?: number | undefined;
  lab?: string | undefined;
}

/** What is kept of the history; 0 sets no limit. */
export interface Keep {
  runs: number;
  bytes: number;
}

export interface RunList {
  runs: RunRecord[];
  unreadable: { id: string; number: number; reason: string }[];
  more: boolean;
  /** Of the whole history, or of the lab that was asked for. */
  total: number;
}

export interface Chunk {
  firstSeq: number;
  lastSeq: number;
  bytes: Buffer;
}

/** What the flush of a stream writes in one transaction. */
export interface Flush {
  firstSeq: number;
  items: readonly ChunkItem[];
  lastT: number;
  recordedBytes: number;
  droppedRecords: number;
  capture: RunRecord['capture'];
}

/**
 * Run history in SQLite (WAL). Queries are built with Kysely and run synchronously: what a call wrote is in the
 * database file when it returns, so a killed agent loses nothing that was flushed.
 */
export class RunStore {
  readonly #home: Home;
  readonly #raw: Database.Database;
  readonly #db: Kysely<Schema>;
  readonly #insertChunk: Database.Statement;
  readonly #readChunk: Database.Statement;

  readonly #deleteChunks: Database.Statement;
  #clearing: Promise<void> | null = null;
  #closed = false;

  private constructor(home: Home, raw: Database.Database, db: Kysely<Schema>) {
    this.#home = home;
    this.#raw = raw;
    this.#db = db;
    this.#insertChunk = raw.prepare(
      'insert into chunks (run, first_seq, last_seq, bytes) values (?, ?, ?, ?)',
    );
    this.#readChunk = raw.prepare(
      'select first_seq as firstSeq, last_seq as lastSeq, bytes from chunks where run = ? and last_seq >= ? order by last_seq limit 1',
    );
    this.#deleteChunks = raw.prepare(
      `delete from chunks where id in (select id from chunks where run = ? limit ${CHUNKS_PER_TURN})`,
    );
  }

  static async open(home: Home): Promise<RunStore> {
    let raw: Database.Database | undefined;
    try {
      raw = new Database(home.database);
      // Takes effect only in an empty file, so before anything that writes its first page.
      raw.pragma('auto_vacuum = INCREMENTAL');
      raw.pragma('journal_mode = WAL');
      raw.pragma(`journal_size_limit = ${WAL_BYTES}`);
      raw.pragma('synchronous = NORMAL');
      raw.pragma('foreign_keys = ON');
      const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: raw }) });
      await migrate(db);
      const store = new RunStore(home, raw, db);
      store.#keepReserve();
      store.#clear();
      return store;
    } catch (error) {
      raw?.close();
      throw storageError(error, home.database);
    }
  }

  /** Puts the history with its captures into a folder beside it, and gives that folder; null when there is none. */
  static setAside(home: Home): string | null {
    if (!existsSync(home.database)) return null;
    const folder = join(home.path, `history-${new Date().toISOString().replace(/[:.]/g, '-')}`);
    try {
      mkdirSync(folder, { mode: 0o700 });
      for (const suffix of ['', '-wal', '-shm']) {
        const file = home.database + suffix;
        if (existsSync(file)) renameSync(file, join(folder, basename(file)));
      }
      renameSync(home.captures, join(folder, basename(home.captures)));
      mkdirSync(home.captures, { mode: 0o700 });
    } catch (error) {
      throw storageError(error, folder);
    }
    return folder;
  }

  close(): void {
    this.#closed = true;
    this.#raw.close();
  }

  /** A full disk must not keep a run's end out of the history: this space is given up for it. */
  #keepReserve(): void {
    try {
      if (!existsSync(this.#home.reserve)) writeFileSync(this.#home.reserve, RESERVE, { mode: 0o600 });
    } catch {
      // The disk is nearly full already. What cannot be written later says so itself.
      rmSync(this.#home.reserve, { force: true });
    }
  }

  /** Gives up the reserve, for a last write on a full disk. */
  makeRoom(): void {
    rmSync(this.#home.reserve, { force: true });
  }

  /** Runs `body`, and explains what SQLite says when it fails. */
  #explained<R>(body: () => R): R {
    try {
      return body();
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
      throw storageError(error, this.#home.database);
    }
  }

  #all<R>(query: { compile(): CompiledQuery<R> }): R[] {
    const { sql, parameters } = query.compile();
    return this.#explained(() => this.#raw.prepare(sql).all(...parameters) as R[]);
  }

  #run(query: { compile(): CompiledQuery }): Database.RunResult {
    const { sql, parameters } = query.compile();
    return this.#explained(() => this.#raw.prepare(sql).run(...parameters));
  }

  /** The rows that lists show. */
  #runs() {
    return this.#db.selectFrom('runs').where('state', '<>', REMOVED);
  }

  create(run: NewRun): RunRecord {
    const row = {
      id: newId(),
      lab: run.lab,
      title: run.title,
      mode: run.mode,
      state: 'created',
      device: run.device,
      parameters_json: JSON.stringify(run.parameters),
      created_at: Date.now(),
    };
    const { lastInsertRowid } = this.#run(
      this.#db
        .insertInto('runs')
        .values({ ...row, last_seq: 0, last_t: 0, recorded_bytes: 0, dropped_records: 0 }),
    );
    return this.#byNumber(Number(lastInsertRowid));
  }

  #byNumber(number: number): RunRecord {
    const [row] = this.#all(this.#runs().selectAll().where('number', '=', number));
    if (!row) throw new AppError('UNKNOWN_RUN', { run: number });
    return this.#record(row);
  }

  /** Throws AppError RUN_UNREADABLE. */
  #record(row: Row): RunRecord {
    const record = readRow(row);
    const { result } = record;
    if (!result || result.captureFile === null) return record;
    return { ...record, result: { ...result, captureFile: this.captureFile(record.id) } };
  }

  get(id: string): RunRecord | null {
    const [row] = this.#all(this.#runs().selectAll().where('id', '=', id));
    return row ? this.#record(row) : null;
  }

  /** Where the packets of a run are; null when none were caught. */
  captureFile(id: string): string | null {
    const path = capturePath(this.#home, id);
    return existsSync(path) ? path : null;
  }

  /** Newest first; one more than `limit` tells that there are more. A row that cannot be read is left out and named. */
  list({ limit, before, lab }: RunQuery): RunList {
    let query = this.#runs()
      .selectAll()
      .orderBy('number', 'desc')
      .limit(limit + 1);
    let count = this.#runs().select((e) => e.fn.countAll<number>().as('total'));
    if (before !== undefined) query = query.where('number', '<', before);
    if (lab !== undefined) {
      query = query.where('lab', '=', lab);
      count = count.where('lab', '=', lab);
    }
    const rows = this.#all(query);
    const list: RunList = {
      runs: [],
      unreadable: [],
      more: rows.length > limit,
      total: this.#all(count)[0]?.total ?? 0,
    };
    for (const row of rows.slice(0, limit)) {
      try {
        list.runs.push(this.#record(row));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        list.unreadable.push({ id: row.id, number: row.number, reason: error.message });
      }
    }
    return list;
  }

  countByState(): Record<string, number> {
    const rows = this.#all(
      this.#runs()
        .select(['state', (e) => e.fn.countAll<number>().as('count')])
        .groupBy('state'),
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** Writes what may change during a run, but for the stream’s own columns (flush). */
  save(record: RunRecord): void {
    const { result } = record;
    this.#run(
      this.#db
        .updateTable('runs')
        .set({
          state: record.state,
          started_at: record.startedAt,
          ended_at: record.endedAt,
          capture_json: record.capture && JSON.stringify(record.capture),
          result_json:
            result &&
            JSON.stringify({ ...result, captureFile: result.captureFile && captureName(record.id) }),
          error_json: record.error && JSON.stringify(record.error),
        })
        .where('number', '=', record.number),
    );
  }

  /** Appends to a run’s stream. Returns the bytes written. */
  flush(run: number, flush: Flush): number {
    const bytes = encodeChunk(flush.items);
    const write = this.#raw.transaction(() => {
      const lastSeq = flush.firstSeq + flush.items.length - 1;
      if (flush.items.length > 0) this.#insertChunk.run(run, flush.firstSeq, lastSeq, bytes);
      this.#run(
        this.#db
          .updateTable('runs')
          .set({
            ...(flush.items.length > 0 ? { last_seq: lastSeq } : {}),
            last_t: flush.lastT,
            recorded_bytes: flush.recordedBytes,
            dropped_records: flush.droppedRecords,
            ...(flush.capture ? { capture_json: JSON.stringify(flush.capture) } : {}),
          })
          .where('number', '=', run),
      );
    });
    this.#explained(write);
    return bytes.length;
  }

  /** The chunk that holds `seq`, or the next one after it; null when the stream ends before. */
  chunkAt(run: number, seq: number): Chunk | null {
    return this.#explained(() => this.#readChunk.get(run, seq) as Chunk | undefined) ?? null;
  }

  /** Takes a run out of every list at once. Its rows and pages are cleared away in turns: see `cleared`. */
  delete(id: string): void {
    // The capture first: on a full disk, its space is what the database needs for the rest.
    rmSync(capturePath(this.#home, id), { force: true });
    const remove = this.#db.updateTable('runs').set({ state: REMOVED }).where('id', '=', id);
    try {
      this.#run(remove);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DISK_FULL') throw error;
      this.makeRoom();
      this.#run(remove);
    }
    this.#clear();
  }

  /** Resolves when nothing of deleted runs is left and their space has been given back. */
  get cleared(): Promise<void> {
    return this.#clearing ?? Promise.resolve();
  }

  #clear(): void {
    this.#clearing ??= this.#clearInTurns()
      // What is left is tried again with the next deletion, or at the next start.
      .catch(() => undefined)
      .finally(() => (this.#clearing = null));
  }

  async #clearInTurns(): Promise<void> {
    const removed = this.#db.selectFrom('runs').select('number').where('state', '=', REMOVED).limit(1);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return;
      const [row] = this.#all(removed);
      if (row) {
        if (this.#deleteChunks.run(row.number).changes === 0)
          this.#run(this.#db.deleteFrom('runs').where('number', '=', row.number));
      } else if ((this.#raw.pragma('freelist_count', { simple: true }) as number) > 0) {
        this.#raw.pragma(`incremental_vacuum(${PAGES_PER_TURN})`);
      } else {
        this.#keepReserve();
        return;
      }
    }
  }

  /** Ended runs beyond what is kept, oldest first. The latest run that has ended is always kept. */
  surplus(keep: Keep): string[] {
    const rows = this.#all(
      this.#runs().select(['id', 'state', 'recorded_bytes', 'capture_json']).orderBy('number', 'desc'),
    );
    let runs = 0;
    let bytes = 0;
    let ended = 0;
    const surplus: string[] = [];
    for (const row of rows) {
      runs++;
      bytes += row.recorded_bytes + (row.capture_json === null ? 0 : this.#captureBytes(row.id));
      if (!isFinal(row.state as RunRecord['state']) || ended++ === 0) continue;
      if ((keep.runs > 0 && runs > keep.runs) || (keep.bytes > 0 && bytes > keep.bytes))
        surplus.unshift(row.id);
    }
    return surplus;
  }

  #captureBytes(id: string): number {
    return statSync(capturePath(this.#home, id), { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * At start: a killed agent may have left a capture that the history does not mention, or one of a run that is no
   * longer there. The first is taken in, the second removed. Gives the ids of both.
   */
  sortCaptures(): { found: string[]; swept: string[] } {
    const found: string[] = [];
    const swept: string[] = [];
    for (const id of capturedRuns(this.#home)) {
      const [row] = this.#all(this.#runs().select(['number', 'capture_json']).where('id', '=', id));
      const path = capturePath(this.#home, id);
      if (!row) {
        rmSync(path, { force: true });
        swept.push(id);
      } else if (row.capture_json === null) {
        const capture = countCapture(path);
        if (!capture) continue;
        const set = { capture_json: JSON.stringify(capture) };
        this.#run(this.#db.updateTable('runs').set(set).where('number', '=', row.number));
        found.push(id);
      }
    }
    return { found, swept };
  }

  /** At start: what the last agent left unfinished was interrupted. Its data up to the last flush stay. */
  interruptUnfinished(): RunRecord[] {
    const open = RUN_STATES.filter((state) => !isFinal(state));
    const rows = this.#all(this.#db.selectFrom('runs').selectAll().where('state', 'in', open));
    return rows.flatMap((row) => {
      // Lists report it.
      if (!isReadable(row)) return [];
      const error = errorInfo('INTERRUPTED');
      const event: RunEvent = {
        seq: row.last_seq + 1,
        t: row.last_t,
        kind: 'run.state',
        state: 'interrupted',
        error,
      };
      const kept = readRow(row);
      // The last packets came after the last flush: the file tells how many there are.
      const found = countCapture(capturePath(this.#home, row.id));
      const capture = found && { ...found, dropped: kept.capture?.dropped ?? 0 };
      const record: RunRecord = { ...kept, capture, state: 'interrupted', endedAt: Date.now(), error };
      this.flush(row.number, {
        firstSeq: event.seq,
        items: [{ frame: false, bytes: Buffer.from(JSON.stringify(event)) }],
        lastT: row.last_t,
        recordedBytes: row.recorded_bytes,
        droppedRecords: row.dropped_records,
        capture,
      });
      this.save(record);
      return [{ ...record, lastSeq: event.seq }];
    });
  }
}

type Row = { [K in keyof RunRow]: RunRow[K] extends { __select__: infer S } ? S : RunRow[K] };

/** Throws AppError RUN_UNREADABLE. */
function readRow(row: Row): RunRecord {
  try {
    return toRecord(row);
  } catch (error) {
    const detail = error instanceof z.ZodError ? issueText(error) : (error as Error).message;
    throw new AppError('RUN_UNREADABLE', { run: row.number, detail }, { cause: error });
  }
}

function isReadable(row: Row): boolean {
  try {
    readRow(row);
    return true;
  } catch {
    return false;
  }
}

function toRecord(row: Row): RunRecord {
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return zRunRecord.parse({
    id: row.id,
    number: row.number,
    lab: row.lab,
    title: row.title,
    mode: row.mode,
    state: row.state,
    parameters: json(row.parameters_json),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    waitingFor: null,
    progress: null,
    lastSeq: row.last_seq,
    recordedBytes: row.recorded_bytes,
    droppedRecords: row.dropped_records,
    capture: json(row.capture_json),
    result: json(row.result_json),
    error: json(row.error_json),
  });
}
