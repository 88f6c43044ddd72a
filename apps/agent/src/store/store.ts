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
import { HISTORY, LISTED, Queries } from './queries.js';
import { Retention } from './retention.js';
import { changingColumns, isReadable, readRow } from './rows.js';
import { migrate, type RunRow } from './schema.js';
import { SweepStore } from './sweep-store.js';

/**
 * Page size of a new database. A chunk has 1 MiB, and each page of it costs two system calls: with the usual 4 KiB,
 * writing a run that streams takes twice the CPU time. Existing databases keep their page size.
 */
const PAGE_BYTES = 16 * 1024;
/** Pages of the log at which it is moved into the database: 4 MiB. */
const CHECKPOINT_PAGES = 256;
/** Size to which the log is cut back after it had to grow, bytes. */
const WAL_BYTES = 16 * 1024 * 1024;

export interface NewRun {
  lab: string;
  title: string;
  mode: RunRecord['mode'];
  device: string | null;
  parameters: RunRecord['parameters'];
  sweep?: RunRecord['sweep'];
  clock?: RunRecord['clock'];
  /** Milliseconds since 1970. Default: now. */
  createdAt?: number;
}

export interface RunQuery {
  limit: number;
  before?: number | undefined;
  lab?: string | undefined;
  /** True to include the parts of joined runs. */
  parts?: boolean | undefined;
}

export interface RunList {
  runs: RunRecord[];
  unreadable: { id: string; number: number; reason: string }[];
  more: boolean;
  /** Number of runs of the whole history, or of the requested lab. */
  total: number;
}

export interface UnfinishedRun {
  record: RunRecord;
  device: string | null;
  /** Time of the last item that was written, ns. */
  lastT: number;
}

/** Data that the flush of a stream writes in one transaction. */
export interface Flush {
  firstSeq: number;
  items: readonly ChunkItem[];
  lastT: number;
  recordedBytes: number;
  droppedRecords: number;
  capture: RunRecord['capture'];
}

/**
 * Run history in SQLite (WAL). Statements run synchronously: what a call wrote is in the database file when it
 * returns, so a killed agent loses nothing that was flushed.
 */
export class RunStore {
  readonly imports: ImportStore;
  readonly joined: JoinedStore;
  readonly retention: Retention;
  readonly progress: ProgressStore;
  readonly sweeps: SweepStore;
  readonly notebook: NotebookStore;
  readonly #queries: Queries;
  readonly #chunks: ChunkCache;

  private constructor(queries: Queries) {
    this.#queries = queries;
    const readChunk =
      'select first_seq as firstSeq, last_seq as lastSeq, bytes from chunks where run = ? and last_seq >= ? order by last_seq limit 1';
    this.#chunks = new ChunkCache((run, seq) => queries.get<Chunk>(readChunk, run, seq) ?? null);
    // The imports come first: the retention clears away what they find half imported.
    this.imports = new ImportStore(queries);
    this.notebook = new NotebookStore(queries);
    this.retention = new Retention(queries, this.notebook);
    this.joined = new JoinedStore(queries, this.imports, this.notebook, this.retention);
    this.progress = new ProgressStore(queries);
    this.sweeps = new SweepStore(queries);
  }

  static open(home: Home): RunStore {
    let raw: Database.Database | undefined;
    try {
      refuseEmptied(home);
      raw = new Database(home.database);
      // Both settings take effect only in an empty file, so they come before anything that writes its first page.
      raw.pragma(`page_size = ${PAGE_BYTES}`);
      raw.pragma('auto_vacuum = INCREMENTAL');
      raw.pragma('journal_mode = WAL');
      raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      raw.pragma(`journal_size_limit = ${WAL_BYTES}`);
      raw.pragma('synchronous = NORMAL');
      raw.pragma('foreign_keys = ON');
      migrate(raw);
      return new RunStore(new Queries(home, raw));
    } catch (error) {
      raw?.close();
      throw storageError(error, home.database);
    }
  }

  /**
   * Moves the history with its captures into a folder beside it, and returns that folder; null if there is no history.
   */
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
    const { lastInsertRowid } = this.#queries.insert('runs', {
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
    });
    return this.#byNumber(Number(lastInsertRowid));
  }

  #byNumber(number: number): RunRecord {
    const row = this.#queries.get<RunRow>(`select * from ${HISTORY} and number = ?`, number);
    if (!row) throw new AppError('UNKNOWN_RUN', { run: number });
    return this.#record(row);
  }

  /** Reads a row. Throws AppError RUN_UNREADABLE. */
  #record(row: RunRow): RunRecord {
    const record = readRow(row);
    const { result } = record;
    if (!result || result.captureFile === null) return record;
    return { ...record, result: { ...result, captureFile: this.captureFile(record.id) } };
  }

  get(id: string): RunRecord | null {
    const row = this.#queries.get<RunRow>(`select * from ${HISTORY} and id = ?`, id);
    return row ? this.#record(row) : null;
  }

  /** Path of a run's capture file, which may not exist. */
  capturePath(id: string): string {
    return capturePath(this.#queries.home, id);
  }

  /** Path of a run's capture file; null if no packets were captured. */
  captureFile(id: string): string | null {
    const path = this.capturePath(id);
    return existsSync(path) ? path : null;
  }

  /**
   * Lists runs, newest first; one more than `limit` shows that there are more. Rows that cannot be read are left out
   * and named.
   */
  list({ limit, before, lab, parts }: RunQuery): RunList {
    const from = `from ${parts ? HISTORY : LISTED}${lab === undefined ? '' : ' and lab = ?'}`;
    const values = lab === undefined ? [] : [lab];
    const rows = this.#queries.all<RunRow>(
      `select * ${from} and number < ? order by number desc limit ?`,
      ...values,
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    );
    const list: RunList = {
      runs: [],
      unreadable: [],
      more: rows.length > limit,
      total: this.#queries.get<{ total: number }>(`select count(*) as total ${from}`, ...values)!.total,
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
    const rows = this.#queries.all<{ state: string; count: number }>(
      `select state, count(*) as count from ${HISTORY} group by state`,
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** Writes what may change during a run, except the stream’s own columns (flush). */
  save(record: RunRecord): void {
    const file = record.result?.captureFile ? captureName(record.id) : null;
    this.#queries.update('runs', 'number', record.number, changingColumns(record, file));
  }

  /** Appends to a run’s stream. Returns the bytes written. */
  flush(run: number, flush: Flush): number {
    const bytes = encodeChunk(flush.items);
    this.#queries.atomically(() => {
      const last_seq = flush.firstSeq + flush.items.length - 1;
      if (flush.items.length > 0)
        this.#queries.insert('chunks', { run, first_seq: flush.firstSeq, last_seq, bytes });
      this.#queries.update('runs', 'number', run, {
        ...(flush.items.length > 0 ? { last_seq } : {}),
        last_t: flush.lastT,
        recorded_bytes: flush.recordedBytes,
        dropped_records: flush.droppedRecords,
        ...(flush.capture ? { capture_json: JSON.stringify(flush.capture) } : {}),
      });
    });
    return bytes.length;
  }

  /** Returns the chunk that holds `seq`, or the next one after it; null if the stream ends before. */
  chunkAt(run: number, seq: number): OpenChunk | null {
    return this.#chunks.at(run, seq);
  }

  /** Runs that no agent has ended. Lists report those that cannot be read. */
  unfinished(): UnfinishedRun[] {
    const open = RUN_STATES.filter((state) => !isFinal(state));
    const places = open.map(() => '?').join(', ');
    const rows = this.#queries.all<RunRow>(`select * from runs where state in (${places})`, ...open);
    return rows
      .filter(isReadable)
      .map((row) => ({ record: readRow(row), device: row.device, lastT: row.last_t }));
  }
}

/**
 * Size of SQLite’s header, bytes. SQLite takes a shorter file for a new database, and the captures of its runs would be
 * deleted.
 */
const HEADER_BYTES = 100;

function refuseEmptied(home: Home): void {
  const size = statSync(home.database, { throwIfNoEntry: false })?.size ?? Infinity;
  if (size >= HEADER_BYTES || capturedRuns(home).length === 0) return;
  throw new AppError('HISTORY_DAMAGED', {
    path: home.database,
    detail: `it has ${size} bytes, but captures of its runs exist`,
  });
}
