import type Database from 'better-sqlite3';
import { PROGRAM_LAB } from '@verbslab/protocol';

/** A row of the runs. Columns that hold JSON end in `_json`. Times are milliseconds since 1970. */
export interface RunRow {
  number: number;
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
  /** Unused: databases of the first version name the capture here. The id of the run gives it, too. */
  capture_file: string | null;
  result_json: string | null;
  error_json: string | null;
  /** The sweep that the run belongs to. */
  sweep_json: string | null;
  /** Origin of an imported run. */
  imported_json: string | null;
  /** Time when the clock of a program’s run read 0. */
  clock_json: string | null;
  /** The runs that were joined into this one. */
  parts_json: string | null;
  /** Joined run that this one is a part of, and which replaces it in all lists. */
  part_of_json: string | null;
}

export interface SweepRow {
  number: number;
  id: string;
  title: string;
  state: string;
  plan_json: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  error_json: string | null;
}

/** A run of a sweep that has ended. */
export interface MeasurementRow {
  sweep: number;
  position: number;
  json: string;
}

/** A piece of a run’s stream (chunk.ts): rows of single events would cost ten times as much. */
export interface ChunkRow {
  id: number;
  run: number;
  first_seq: number;
  last_seq: number;
  bytes: Buffer;
}

/** Number of completed runs of a lab. */
export interface LabRunsRow {
  lab: string;
  runs: number;
  last_run_at: number;
}

/** An answered self-check; `right` is 0 or 1. */
export interface SelfCheckRow {
  lab: string;
  check_id: string;
  right: number;
  answered_at: number;
}

/** A note of the notebook. It is deleted with its run. */
export interface NoteRow {
  number: number;
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

/** Changes of the tables since the first version, by name, oldest first. */
const migrations: Record<string, string> = {
  '001-runs': `
    create table runs (
      number integer primary key autoincrement, id text not null unique, lab text not null, title text not null,
      mode text not null, state text not null, device text, parameters_json text not null,
      created_at integer not null, started_at integer, ended_at integer, last_seq integer not null default 0,
      last_t real not null default 0, recorded_bytes integer not null default 0,
      dropped_records integer not null default 0, capture_json text, capture_file text, result_json text,
      error_json text);
    create table chunks (
      id integer primary key, run integer not null references runs(number) on delete cascade,
      first_seq integer not null, last_seq integer not null, bytes blob not null);
    create unique index chunks_by_run on chunks(run, last_seq);
    create index runs_by_state on runs(state)`,
  // The bulk lab called its message size `chunk`, and its memory `size`.
  '002-message-size': `
    update runs set parameters_json = json_remove(json_set(parameters_json,
      '$.memory', json_extract(parameters_json, '$.size'),
      '$.size', json_extract(parameters_json, '$.chunk')), '$.chunk')
    where lab = 'bulk' and json_type(parameters_json, '$.chunk') is not null
      and json_type(parameters_json, '$.size') is not null`,
  // Runs of the history count as progress.
  '003-progress': `
    create table lab_runs (lab text primary key, runs integer not null, last_run_at integer not null);
    create table self_checks (
      lab text not null, check_id text not null, "right" integer not null, answered_at integer not null,
      constraint self_checks_key primary key (lab, check_id));
    insert into lab_runs (lab, runs, last_run_at)
      select lab, count(*), max(coalesce(ended_at, created_at)) from runs
      where state = 'done' and lab <> '${PROGRAM_LAB}' group by lab`,
  '004-sweeps': `
    alter table runs add column sweep_json text;
    create table sweeps (
      number integer primary key autoincrement, id text not null unique, title text not null,
      state text not null, plan_json text not null, created_at integer not null,
      started_at integer, ended_at integer, error_json text);
    create table measurements (
      sweep integer not null references sweeps(number) on delete cascade, position integer not null,
      json text not null, primary key (sweep, position))`,
  '005-notebook': `
    create table notes (
      number integer primary key autoincrement, id text not null unique,
      run integer not null references runs(number) on delete cascade, version integer not null,
      text text not null, tags_json text not null, moment_json text,
      created_at integer not null, changed_at integer not null);
    create index notes_by_run on notes(run);
    create table run_tags (
      run integer not null references runs(number) on delete cascade, tag text not null,
      primary key (run, tag))`,
  '006-imported': 'alter table runs add column imported_json text',
  '007-joined': `
    alter table runs add column clock_json text;
    alter table runs add column parts_json text;
    alter table runs add column part_of_json text`,
};

/** Table of applied migrations. Kysely, whose migrator wrote it in earlier versions, chose the name. */
const APPLIED = 'kysely_migration';

/** Brings the tables of any earlier version to today’s, or leaves all as they were. */
export function migrate(raw: Database.Database): void {
  raw.transaction(() => {
    raw.exec(
      `create table if not exists ${APPLIED} (name varchar(255) not null primary key, timestamp varchar(255) not null)`,
    );
    const applied = new Set(raw.prepare(`select name from ${APPLIED}`).pluck().all());
    const record = raw.prepare(`insert into ${APPLIED} values (?, ?)`);
    for (const [name, sql] of Object.entries(migrations)) {
      if (applied.delete(name)) continue;
      raw.exec(sql);
      record.run(name, new Date().toISOString());
    }
    if (applied.size > 0)
      throw new Error(`a newer version of Verbs Lab wrote it (${[...applied].join(', ')})`);
  })();
}
