import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, isFinal, RUN_STATES, type RunRecord } from '@verbslab/protocol';
import type { Home } from '../config/home.js';
import { storageError } from '../config/storage.js';
import { capturedRuns, captureName, capturePath } from './capture-files.js';
import { ChunkCache, type Chunk, type OpenChunk } from './chunk-cache.js';
import { encodeChunk, type ChunkItem } from './chunk.js';
import { ImportStore } from './import-store.js';
import { JoinedStore } from './joined-store.js';
import { newId } from './new-id.js';
import { NotebookStore } from './notebook-store.js';
import { ProgressStore } from './progress-store.js';
import { Queries } from './queries.js';
import { Retention } from './retention.js';
import { changingColumns, isReadable, readRow, type Row } from './rows.js';
import { migrate } from './schema.js';
import { SweepStore } from './sweep-store.js';

/**
 * Of a new database. A chunk has a mebibyte and each page of it costs two system calls: with the usual 4 KiB, writing a
 * run that streams takes twice the CPU time. Databases that are there keep theirs.
 */
const PAGE_BYTES = 16 * 1024;
/** The log goes into the database whenever it has so many pages: 4 MiB. */
const CHECKPOINT_PAGES = 256;
/** The log of changes is cut back to this after it had to grow. */
const WAL_BYTES = 16 * 1024 * 1024;

export interface NewRun {
  lab: string;
  title: string;
  mode: RunRecord['mode'];
  device: string | null;
  parameters: RunRecord['parameters'];
  sweep?: RunRecord['sweep'];
  clock?: RunRecord['clock'];
  /** Milliseconds since 1970; now where it is left out. */
  createdAt?: number;
}

export interface RunQuery {
  limit: number;
  before?: number | undefined;
  lab?: string | undefined;
  /** Also the parts of joined runs. */
  parts?: boolean | undefined;
}

export interface RunList {
  runs: RunRecord[];
  unreadable: { id: string; number: number; reason: string }[];
  more: boolean;
  /** Of the whole history, or of the lab that was asked for. */
  total: number;
}

export interface UnfinishedRun {
  record: RunRecord;
  device: string | null;
  /** Time of the last item that was written down, ns. */
  lastT: number;
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
  readonly imports: ImportStore;
  readonly joined: JoinedStore;
  readonly retention: Retention;
  readonly progress: ProgressStore;
  readonly sweeps: SweepStore;
  readonly notebook: NotebookStore;
  readonly #queries: Queries;
  readonly #insertChunk: Database.Statement;
  readonly #chunks: ChunkCache;

  private constructor(queries: Queries) {
    this.#queries = queries;
    this.#insertChunk = queries.raw.prepare(
      'insert into chunks (run, first_seq, last_seq, bytes) values (?, ?, ?, ?)',
    );
    const readChunk = queries.raw.prepare(
      'select first_seq as firstSeq, last_seq as lastSeq, bytes from chunks where run = ? and last_seq >= ? order by last_seq limit 1',
    );
    this.#chunks = new ChunkCache((run, seq) =>
      queries.explained(() => (readChunk.get(run, seq) as Chunk | undefined) ?? null),
    );
    // First: what it finds half imported, the retention clears away.
    this.imports = new ImportStore(queries);
    this.notebook = new NotebookStore(queries);
    this.retention = new Retention(queries, this.notebook);
    this.joined = new JoinedStore(queries, this.imports, this.notebook, this.retention);
    this.progress = new ProgressStore(queries);
    this.sweeps = new SweepStore(queries);
  }

  static async open(home: Home): Promise<RunStore> {
    let raw: Database.Database | undefined;
    try {
      refuseEmptied(home);
      raw = new Database(home.database);
      // Both take effect only in an empty file, so before anything that writes its first page.
      raw.pragma(`page_size = ${PAGE_BYTES}`);
      raw.pragma('auto_vacuum = INCREMENTAL');
      raw.pragma('journal_mode = WAL');
      raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      raw.pragma(`journal_size_limit = ${WAL_BYTES}`);
      raw.pragma('synchronous = NORMAL');
      raw.pragma('foreign_keys = ON');
      const queries = new Queries(home, raw);
      await migrate(queries.db);
      return new RunStore(queries);
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
    this.#queries.raw.close();
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
      created_at: run.createdAt ?? Date.now(),
      sweep_json: run.sweep ? JSON.stringify(run.sweep) : null,
      clock_json: run.clock ? JSON.stringify(run.clock) : null,
    };
    const { lastInsertRowid } = this.#queries.run(
      this.#queries.db
        .insertInto('runs')
        .values({ ...row, last_seq: 0, last_t: 0, recorded_bytes: 0, dropped_records: 0 }),
    );
    return this.#byNumber(Number(lastInsertRowid));
  }

  #byNumber(number: number): RunRecord {
    const [row] = this.#queries.all(this.#queries.runs().selectAll().where('number', '=', number));
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
    const [row] = this.#queries.all(this.#queries.runs().selectAll().where('id', '=', id));
    return row ? this.#record(row) : null;
  }

  /** Where the packets of a run are, or would be. */
  capturePath(id: string): string {
    return capturePath(this.#queries.home, id);
  }

  /** Where the packets of a run are; null when none were caught. */
  captureFile(id: string): string | null {
    const path = this.capturePath(id);
    return existsSync(path) ? path : null;
  }

  /** Newest first; one more than `limit` shows that there are more. A row that cannot be read is left out and named. */
  list({ limit, before, lab, parts }: RunQuery): RunList {
    const rowsOf = () => (parts ? this.#queries.runs() : this.#queries.listed());
    let query = rowsOf()
      .selectAll()
      .orderBy('number', 'desc')
      .limit(limit + 1);
    let count = rowsOf().select((e) => e.fn.countAll<number>().as('total'));
    if (before !== undefined) query = query.where('number', '<', before);
    if (lab !== undefined) {
      query = query.where('lab', '=', lab);
      count = count.where('lab', '=', lab);
    }
    const rows = this.#queries.all(query);
    const list: RunList = {
      runs: [],
      unreadable: [],
      more: rows.length > limit,
      total: this.#queries.all(count)[0]?.total ?? 0,
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
    const rows = this.#queries.all(
      this.#queries
        .runs()
        .select(['state', (e) => e.fn.countAll<number>().as('count')])
        .groupBy('state'),
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** Writes what may change during a run, but for the stream’s own columns (flush). */
  save(record: RunRecord): void {
    this.#queries.run(
      this.#queries.db
        .updateTable('runs')
        .set(changingColumns(record, record.result?.captureFile ? captureName(record.id) : null))
        .where('number', '=', record.number),
    );
  }

  /** Appends to a run’s stream. Returns the bytes written. */
  flush(run: number, flush: Flush): number {
    const bytes = encodeChunk(flush.items);
    const write = this.#queries.raw.transaction(() => {
      const lastSeq = flush.firstSeq + flush.items.length - 1;
      if (flush.items.length > 0) this.#insertChunk.run(run, flush.firstSeq, lastSeq, bytes);
      this.#queries.run(
        this.#queries.db
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
    this.#queries.explained(write);
    return bytes.length;
  }

  /** The chunk that holds `seq`, or the next one after it; null when the stream ends before. */
  chunkAt(run: number, seq: number): OpenChunk | null {
    return this.#chunks.at(run, seq);
  }

  /** Runs that no agent has brought to an end. Lists report those that cannot be read. */
  unfinished(): UnfinishedRun[] {
    const open = RUN_STATES.filter((state) => !isFinal(state));
    const rows = this.#queries.all(
      this.#queries.db.selectFrom('runs').selectAll().where('state', 'in', open),
    );
    return rows
      .filter(isReadable)
      .map((row) => ({ record: readRow(row), device: row.device, lastT: row.last_t }));
  }
}

/** SQLite’s header. It takes a shorter file for a new database, and the captures of its runs would be swept away. */
const HEADER_BYTES = 100;

function refuseEmptied(home: Home): void {
  const size = statSync(home.database, { throwIfNoEntry: false })?.size ?? Infinity;
  if (size >= HEADER_BYTES || capturedRuns(home).length === 0) return;
  throw new AppError('HISTORY_DAMAGED', {
    path: home.database,
    detail: `it has ${size} bytes, but captures of its runs exist`,
  });
}
