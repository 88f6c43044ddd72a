import type Database from 'better-sqlite3';
import type { Home } from '../config/home.js';
import { storageError } from '../config/storage.js';
import type { Schema } from './schema.js';

/** Rows of this state have been deleted and are being cleared away; they are in no list. */
export const REMOVED = 'removed';
/** Rows of this state belong to an import in progress; they are in no list either. */
export const IMPORTING = 'importing';

/** All rows of the history. */
export const HISTORY = `runs where state not in ('${REMOVED}', '${IMPORTING}')`;
/** Rows that lists show: a joined run replaces its parts. */
export const LISTED = `${HISTORY} and part_of_json is null`;

type Value = string | number | Buffer | null;

/** The database of the history: each statement is prepared once, and explains why it fails. */
export class Queries {
  readonly home: Home;
  readonly raw: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(home: Home, raw: Database.Database) {
    this.home = home;
    this.raw = raw;
  }

  /** Runs `body`, and explains what SQLite says when it fails. */
  #explained<R>(body: () => R): R {
    try {
      return body();
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
      throw storageError(error, this.home.database);
    }
  }

  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.raw.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  all<R>(sql: string, ...values: Value[]): R[] {
    return this.#explained(() => this.#prepared(sql).all(...values) as R[]);
  }

  get<R>(sql: string, ...values: Value[]): R | undefined {
    return this.#explained(() => this.#prepared(sql).get(...values) as R | undefined);
  }

  run(sql: string, ...values: Value[]): Database.RunResult {
    return this.#explained(() => this.#prepared(sql).run(...values));
  }

  insert<T extends keyof Schema>(table: T, row: Partial<Schema[T]>): Database.RunResult {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    return this.run(
      `insert into ${table} (${columns.join(', ')}) values (${places})`,
      ...(Object.values(row) as Value[]),
    );
  }

  /** Changes the rows with this value in the column `key`. */
  update<T extends keyof Schema>(
    table: T,
    key: keyof Schema[T] & string,
    value: Value,
    set: Partial<Schema[T]>,
  ): void {
    const columns = Object.keys(set).map((column) => `${column} = ?`);
    this.run(
      `update ${table} set ${columns.join(', ')} where ${key} = ?`,
      ...(Object.values(set) as Value[]),
      value,
    );
  }

  /** Deletes a few chunks of a run, about 1 MiB: callers go on in a later turn of the event loop. Returns how many. */
  deleteChunks(run: number): number {
    return this.run('delete from chunks where id in (select id from chunks where run = ? limit 2)', run)
      .changes;
  }

  /** Does all that `body` does, or nothing. */
  atomically(body: () => void): void {
    this.#explained(this.raw.transaction(body));
  }
}
