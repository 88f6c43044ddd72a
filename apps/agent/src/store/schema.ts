import { PROGRAM_LAB } from '@verbslab/protocol';
import { Migrator, sql, type Generated, type Kysely, type Migration } from 'kysely';

/** Columns that hold JSON end in `_json`. Times are milliseconds since 1970. */
export interface RunRow {
  number: Generated<number>;
  id: string;
  lab: string;
  title: string;
  mode: string;
  state: string;
  device: string | null;
  parameters_json: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  last_seq: number;
  last_t: number;
  recorded_bytes: number;
  dropped_records: number;
  capture_json: string | null;
  /** Not used: databases of the first form name the capture here, which the id of the run does as well. */
  capture_file: string | null;
  result_json: string | null;
  error_json: string | null;
  /** The sweep that the run belongs to. */
  sweep_json: string | null;
  /** Where the run was imported from. */
  imported_json: string | null;
  /** When the clock of a program’s run read 0. */
  clock_json: string | null;
  /** The runs that were joined into this one. */
  parts_json: string | null;
  /** The joined run that this one is a part of: it is in no list then. */
  part_of_json: string | null;
}

export interface SweepRow {
  number: Generated<number>;
  id: string;
  title: string;
  state: string;
  plan_json: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  error_json: string | null;
}

/** One run of a sweep that has ended. */
export interface MeasurementRow {
  sweep: number;
  position: number;
  json: string;
}

/** A piece of a run’s stream (chunk.ts): rows of single events would cost ten times as much. */
export interface ChunkRow {
  id: Generated<number>;
  run: number;
  first_seq: number;
  last_seq: number;
  bytes: Buffer;
}

/** How often a lab was run to its end. */
export interface LabRunsRow {
  lab: string;
  runs: number;
  last_run_at: number;
}

/** A self-check that was answered; `right` is 0 or 1. */
export interface SelfCheckRow {
  lab: string;
  check_id: string;
  right: number;
  answered_at: number;
}

/** A note of the notebook. It goes with its run. */
export interface NoteRow {
  number: Generated<number>;
  id: string;
  run: number;
  version: number;
  text: string;
  tags_json: string;
  moment_json: string | null;
  created_at: number;
  changed_at: number;
}

export interface RunTagRow {
  run: number;
  tag: string;
}

export interface Schema {
  runs: RunRow;
  chunks: ChunkRow;
  lab_runs: LabRunsRow;
  self_checks: SelfCheckRow;
  sweeps: SweepRow;
  measurements: MeasurementRow;
  notes: NoteRow;
  run_tags: RunTagRow;
}

const migrations: Record<string, Migration> = {
  '001-runs': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('runs')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('id', 'text', (c) => c.notNull().unique())
        .addColumn('lab', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('mode', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('device', 'text')
        .addColumn('parameters_json', 'text', (c) => c.notNull())
        .addColumn('created_at', 'integer', (c) => c.notNull())
        .addColumn('started_at', 'integer')
        .addColumn('ended_at', 'integer')
        .addColumn('last_seq', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('last_t', 'real', (c) => c.notNull().defaultTo(0))
        .addColumn('recorded_bytes', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('dropped_records', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('capture_json', 'text')
        .addColumn('capture_file', 'text')
        .addColumn('result_json', 'text')
        .addColumn('error_json', 'text')
        .execute();
      await db.schema
        .createTable('chunks')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('run', 'integer', (c) => c.notNull().references('runs.number').onDelete('cascade'))
        .addColumn('first_seq', 'integer', (c) => c.notNull())
        .addColumn('last_seq', 'integer', (c) => c.notNull())
        .addColumn('bytes', 'blob', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('chunks_by_run')
        .on('chunks')
        .columns(['run', 'last_seq'])
        .unique()
        .execute();
      await sql`create index runs_by_state on runs(state)`.execute(db);
    },
  },
  /** The bulk lab called its message size `chunk`, and its memory `size`. */
  '002-message-size': {
    async up(db: Kysely<unknown>) {
      await sql`
        update runs set parameters_json = json_remove(json_set(parameters_json,
          '$.memory', json_extract(parameters_json, '$.size'),
          '$.size', json_extract(parameters_json, '$.chunk')), '$.chunk')
        where lab = 'bulk' and json_type(parameters_json, '$.chunk') is not null
          and json_type(parameters_json, '$.size') is not null`.execute(db);
    },
  },
  /** Runs that the history has count as progress. */
  '003-progress': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('lab_runs')
        .addColumn('lab', 'text', (c) => c.primaryKey())
        .addColumn('runs', 'integer', (c) => c.notNull())
        .addColumn('last_run_at', 'integer', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('self_checks')
        .addColumn('lab', 'text', (c) => c.notNull())
        .addColumn('check_id', 'text', (c) => c.notNull())
        .addColumn('right', 'integer', (c) => c.notNull())
        .addColumn('answered_at', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('self_checks_key', ['lab', 'check_id'])
        .execute();
      await sql`
        insert into lab_runs (lab, runs, last_run_at)
        select lab, count(*), max(coalesce(ended_at, created_at)) from runs
        where state = 'done' and lab <> ${PROGRAM_LAB} group by lab`.execute(db);
    },
  },
  '004-sweeps': {
    async up(db: Kysely<unknown>) {
      await sql`alter table runs add column sweep_json text`.execute(db);
      await sql`create table sweeps (
        number integer primary key autoincrement, id text not null unique, title text not null,
        state text not null, plan_json text not null, created_at integer not null,
        started_at integer, ended_at integer, error_json text)`.execute(db);
      await sql`create table measurements (
        sweep integer not null references sweeps(number) on delete cascade, position integer not null,
        json text not null, primary key (sweep, position))`.execute(db);
    },
  },
  '005-notebook': {
    async up(db: Kysely<unknown>) {
      await sql`create table notes (
        number integer primary key autoincrement, id text not null unique,
        run integer not null references runs(number) on delete cascade, version integer not null,
        text text not null, tags_json text not null, moment_json text,
        created_at integer not null, changed_at integer not null)`.execute(db);
      await sql`create index notes_by_run on notes(run)`.execute(db);
      await sql`create table run_tags (
        run integer not null references runs(number) on delete cascade, tag text not null,
        primary key (run, tag))`.execute(db);
    },
  },
  '006-imported': {
    async up(db: Kysely<unknown>) {
      await sql`alter table runs add column imported_json text`.execute(db);
    },
  },
  '007-joined': {
    async up(db: Kysely<unknown>) {
      await sql`alter table runs add column clock_json text`.execute(db);
      await sql`alter table runs add column parts_json text`.execute(db);
      await sql`alter table runs add column part_of_json text`.execute(db);
    },
  },
};

export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error(JSON.stringify(error));
}
