import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { RunRecord } from '@verbslab/protocol';
import { captureName, capturePath } from './capture-files.js';
import { encodeChunk, type ChunkItem } from './chunk.js';
import { newId } from './new-id.js';
import { IMPORTING, REMOVED, type Queries } from './queries.js';
import { changingColumns } from './rows.js';

/** What of an imported run its record does not say. */
export interface Imported {
  lastT: number;
  recordedBytes: number;
  /** Whether the run has a capture file now. */
  captured: boolean;
}

/** Runs on their way into the history: in no list until they are whole, and gone without a trace when they do not get there. */
export class ImportStore {
  readonly #queries: Queries;
  readonly #insertChunk: Database.Statement;
  readonly #deleteChunks: Database.Statement;
  readonly #freeNumber: Database.Statement;

  constructor(queries: Queries) {
    this.#queries = queries;
    const { raw, db } = queries;
    this.#insertChunk = raw.prepare(
      'insert into chunks (run, first_seq, last_seq, bytes) values (?, ?, ?, ?)',
    );
    this.#deleteChunks = raw.prepare(
      'delete from chunks where id in (select id from chunks where run = ? limit 2)',
    );
    this.#freeNumber = raw.prepare(
      "update sqlite_sequence set seq = @number - 1 where name = 'runs' and seq = @number",
    );
    // An agent was killed in an import.
    queries.run(db.updateTable('runs').set({ state: REMOVED }).where('state', '=', IMPORTING));
  }

  /** The run that is here with this ID, or was imported from the run that had it. */
  find(runId: string): string | null {
    const [row] = this.#queries.all(
      this.#queries
        .runs()
        .select('id')
        .where((e) =>
          e.or([
            e('id', '=', runId),
            e(e.fn('json_extract', ['imported_json', e.val('$.runId')]), '=', runId),
          ]),
        )
        .orderBy('number', 'desc')
        .limit(1),
    );
    return row?.id ?? null;
  }

  /** Gives an imported run its place in this history: an ID and a number of its own. */
  begin(record: RunRecord): { id: string; number: number; captureFile: string } {
    const id = newId();
    const { lastInsertRowid } = this.#queries.run(
      this.#queries.db.insertInto('runs').values({
        id,
        lab: record.lab,
        title: record.title,
        mode: record.mode,
        state: IMPORTING,
        device: record.result?.device ?? null,
        parameters_json: JSON.stringify(record.parameters),
        created_at: record.createdAt,
        last_seq: 0,
        last_t: 0,
        recorded_bytes: 0,
        dropped_records: record.droppedRecords,
      }),
    );
    return { id, number: Number(lastInsertRowid), captureFile: capturePath(this.#queries.home, id) };
  }

  append(number: number, firstSeq: number, items: readonly ChunkItem[]): void {
    const lastSeq = firstSeq + items.length - 1;
    this.#queries.explained(() => this.#insertChunk.run(number, firstSeq, lastSeq, encodeChunk(items)));
  }

  /** The run is whole: from now on it is in the history. */
  commit(
    { id, number }: { id: string; number: number },
    record: RunRecord,
    { lastT, recordedBytes, captured }: Imported,
  ): void {
    this.#queries.run(
      this.#queries.db
        .updateTable('runs')
        .set({
          ...changingColumns(record, captured ? captureName(id) : null),
          last_seq: record.lastSeq,
          last_t: lastT,
          recorded_bytes: recordedBytes,
          clock_json: record.clock ? JSON.stringify(record.clock) : null,
          imported_json: record.imported ? JSON.stringify(record.imported) : null,
        })
        .where('number', '=', number),
    );
  }

  /** Takes out what an import has written so far. Its number is free again unless another run has come since. */
  async discard({ id, number }: { id: string; number: number }): Promise<void> {
    rmSync(capturePath(this.#queries.home, id), { force: true });
    while (this.#queries.raw.open && this.#deleteChunks.run(number).changes > 0) await setImmediate();
    if (!this.#queries.raw.open) return;
    this.#queries.run(this.#queries.db.deleteFrom('runs').where('number', '=', number));
    this.#freeNumber.run({ number });
  }
}
