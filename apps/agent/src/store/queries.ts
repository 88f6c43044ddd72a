import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect, type CompiledQuery } from 'kysely';
import type { Home } from '../config/home.js';
import { storageError } from '../config/storage.js';
import type { Schema } from './schema.js';

/** Rows of this state have been deleted and are being cleared away; they are in no list. */
export const REMOVED = 'removed';
/** Rows of this state belong to an import in progress; they are in no list either. */
export const IMPORTING = 'importing';

/** The database of the history: queries are built with Kysely, run at once, and explain why they fail. */
export class Queries {
  readonly home: Home;
  readonly raw: Database.Database;
  readonly db: Kysely<Schema>;

  constructor(home: Home, raw: Database.Database) {
    this.home = home;
    this.raw = raw;
    this.db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: raw }) });
  }

  /** Runs `body`, and explains what SQLite says when it fails. */
  explained<R>(body: () => R): R {
    try {
      return body();
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
      throw storageError(error, this.home.database);
    }
  }

  all<R>(query: { compile(): CompiledQuery<R> }): R[] {
    const { sql, parameters } = query.compile();
    return this.explained(() => this.raw.prepare(sql).all(...parameters) as R[]);
  }

  run(query: { compile(): CompiledQuery }): Database.RunResult {
    const { sql, parameters } = query.compile();
    return this.explained(() => this.raw.prepare(sql).run(...parameters));
  }

  /** All rows of the history. */
  runs() {
    return this.db.selectFrom('runs').where('state', 'not in', [REMOVED, IMPORTING]);
  }

  /** The rows that lists show: a joined run stands for its parts. */
  listed() {
    return this.runs().where('part_of_json', 'is', null);
  }

  /** The runs that are parts of this one. */
  partsOf(id: string) {
    return this.runs().where((e) => e(e.fn('json_extract', ['part_of_json', e.val('$.id')]), '=', id));
  }
}
