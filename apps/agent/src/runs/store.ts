import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  AppError,
  errorInfo,
  isFinal,
  RUN_STATES,
  zRunRecord,
  type RunEvent,
  type RunRecord,
} from '@verbslab/protocol';
import { Kysely, SqliteDialect, type CompiledQuery } from 'kysely';
import type { Home } from '../config/home.js';
import { encodeChunk, type ChunkItem } from './chunk.js';
import { migrate, type RunRow, type Schema } from './schema.js';

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const newId = (): string => Array.from({ length: 10 }, () => ID_ALPHABET[randomInt(36)]).join('');

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
}

/**
 * Run history in SQLite (WAL). Queries are built with Kysely and run synchronously: what a call wrote is in the
 * database file when it returns, so a killed agent loses nothing that was flushed.
 */
export class RunStore {
  readonly #raw: Database.Database;
  readonly #db: Kysely<Schema>;
  readonly #insertChunk: Database.Statement;
  readonly #readChunk: Database.Statement;

  private constructor(raw: Database.Database, db: Kysely<Schema>) {
    this.#raw = raw;
    this.#db = db;
    this.#insertChunk = raw.prepare(
      'insert into chunks (run, first_seq, last_seq, bytes) values (?, ?, ?, ?)',
    );
    this.#readChunk = raw.prepare(
      'select first_seq as firstSeq, last_seq as lastSeq, bytes from chunks where run = ? and last_seq >= ? order by last_seq limit 1',
    );
  }

  static async open(home: Home): Promise<RunStore> {
    try {
      const raw = new Database(home.database);
      // Takes effect only in an empty file, so before anything that writes its first page.
      raw.pragma('auto_vacuum = INCREMENTAL');
      raw.pragma('journal_mode = WAL');
      raw.pragma('synchronous = NORMAL');
      raw.pragma('foreign_keys = ON');
      const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: raw }) });
      await migrate(db);
      return new RunStore(raw, db);
    } catch (error) {
      throw new AppError(
        'DATA_DIRECTORY',
        { path: home.database, detail: (error as Error).message },
        { cause: error },
      );
    }
  }

  close(): void {
    this.#raw.close();
  }

  #all<R>(query: { compile(): CompiledQuery<R> }): R[] {
    const { sql, parameters } = query.compile();
    return this.#raw.prepare(sql).all(...parameters) as R[];
  }

  #run(query: { compile(): CompiledQuery }): Database.RunResult {
    const { sql, parameters } = query.compile();
    return this.#raw.prepare(sql).run(...parameters);
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
    const [row] = this.#all(this.#db.selectFrom('runs').selectAll().where('number', '=', number));
    if (!row) throw new AppError('UNKNOWN_RUN', { run: number });
    return toRecord(row);
  }

  get(id: string): RunRecord | null {
    const [row] = this.#all(this.#db.selectFrom('runs').selectAll().where('id', '=', id));
    return row ? toRecord(row) : null;
  }

  captureFile(id: string): string | null {
    const [row] = this.#all(this.#db.selectFrom('runs').select('capture_file').where('id', '=', id));
    return row?.capture_file ?? null;
  }

  /** Newest first; one more than `limit` tells that there are more. */
  list({ limit, before, lab }: RunQuery): { runs: RunRecord[]; more: boolean } {
    let query = this.#db
      .selectFrom('runs')
      .selectAll()
      .orderBy('number', 'desc')
      .limit(limit + 1);
    if (before !== undefined) query = query.where('number', '<', before);
    if (lab !== undefined) query = query.where('lab', '=', lab);
    const rows = this.#all(query);
    return { runs: rows.slice(0, limit).map(toRecord), more: rows.length > limit };
  }

  countByState(): Record<string, number> {
    const rows = this.#all(
      this.#db
        .selectFrom('runs')
        .select(['state', (e) => e.fn.countAll<number>().as('count')])
        .groupBy('state'),
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** Writes what may change during a run, but for the stream’s own columns (flush). */
  save(record: RunRecord, captureFile: string | null): void {
    this.#run(
      this.#db
        .updateTable('runs')
        .set({
          state: record.state,
          started_at: record.startedAt,
          ended_at: record.endedAt,
          capture_json: record.capture && JSON.stringify(record.capture),
          capture_file: captureFile,
          result_json: record.result && JSON.stringify(record.result),
          error_json: record.error && JSON.stringify(record.error),
        })
        .where('number', '=', record.number),
    );
  }

  /** Appends to a run’s stream. Returns the bytes written. */
  flush(run: number, flush: Flush): number {
    const bytes = encodeChunk(flush.items);
    this.#raw.transaction(() => {
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
          })
          .where('number', '=', run),
      );
    })();
    return bytes.length;
  }

  /** The chunk that holds `seq`, or the next one after it; null when the stream ends before. */
  chunkAt(run: number, seq: number): Chunk | null {
    return (this.#readChunk.get(run, seq) as Chunk | undefined) ?? null;
  }

  delete(id: string): void {
    const file = this.captureFile(id);
    this.#run(this.#db.deleteFrom('runs').where('id', '=', id));
    if (file) rmSync(file, { force: true });
    this.#raw.pragma('incremental_vacuum(2048)');
  }

  /** At start: what the last agent left unfinished was interrupted. Its data up to the last flush stay. */
  interruptUnfinished(): RunRecord[] {
    const open = RUN_STATES.filter((state) => !isFinal(state));
    const rows = this.#all(this.#db.selectFrom('runs').selectAll().where('state', 'in', open));
    return rows.map((row) => {
      const error = errorInfo('INTERRUPTED');
      const event: RunEvent = {
        seq: row.last_seq + 1,
        t: row.last_t,
        kind: 'run.state',
        state: 'interrupted',
        error,
      };
      const record: RunRecord = { ...toRecord(row), state: 'interrupted', endedAt: Date.now(), error };
      this.flush(row.number, {
        firstSeq: event.seq,
        items: [{ frame: false, bytes: Buffer.from(JSON.stringify(event)) }],
        lastT: row.last_t,
        recordedBytes: row.recorded_bytes,
        droppedRecords: row.dropped_records,
      });
      this.save(record, row.capture_file);
      return { ...record, lastSeq: event.seq };
    });
  }
}

function toRecord(row: {
  [K in keyof RunRow]: RunRow[K] extends { __select__: infer S } ? S : RunRow[K];
}): RunRecord {
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
