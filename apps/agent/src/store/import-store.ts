import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { RunRecord } from '@verbslab/protocol';
import { captureName, capturePath } from './capture-files.js';
import { encodeChunk, type ChunkItem } from './chunk.js';
import { newId } from './new-id.js';
import { HISTORY, IMPORTING, REMOVED, type Queries } from './queries.js';
import { changingColumns } from './rows.js';
import type { RunRow } from './schema.js';

/** Facts about an imported run that its record does not hold. */
export interface Imported {
  lastT: number;
  recordedBytes: number;
  /** True if the run has a capture file now. */
  captured: boolean;
}

/**
 * Runs on their way into the history. They are in no list until they are complete, and an import that fails leaves no
 * trace.
 */
export class ImportStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
    // Imports that a killed agent left unfinished are removed.
    queries.update('runs', 'state', IMPORTING, { state: REMOVED });
  }

  /** Finds the run with this ID, or the one that was imported from it. */
  find(runId: string): string | null {
    const row = this.#queries.get<Pick<RunRow, 'id'>>(
      `select id from ${HISTORY} and ? in (id, json_extract(imported_json, '$.runId')) order by number desc limit 1`,
      runId,
    );
    return row?.id ?? null;
  }

  /** Gives an imported run its own ID and number in this history. */
  begin(record: RunRecord): { id: string; number: number; captureFile: string } {
    const id = newId();
    const { lastInsertRowid } = this.#queries.insert('runs', {
      id,
      lab: record.lab,
      title: record.title,
      mode: record.mode,
      state: IMPORTING,
      device: record.result?.device ?? null,
      parameters_json: JSON.stringify(record.parameters),
      created_at: record.createdAt,
      dropped_records: record.droppedRecords,
    });
    return { id, number: Number(lastInsertRowid), captureFile: capturePath(this.#queries.home, id) };
  }

  append(number: number, firstSeq: number, items: readonly ChunkItem[]): void {
    const last_seq = firstSeq + items.length - 1;
    this.#queries.insert('chunks', { run: number, first_seq: firstSeq, last_seq, bytes: encodeChunk(items) });
  }

  /** Adds a complete run to the history. */
  commit(
    { id, number }: { id: string; number: number },
    record: RunRecord,
    { lastT, recordedBytes, captured }: Imported,
  ): void {
    this.#queries.update('runs', 'number', number, {
      ...changingColumns(record, captured ? captureName(id) : null),
      last_seq: record.lastSeq,
      last_t: lastT,
      recorded_bytes: recordedBytes,
      clock_json: record.clock ? JSON.stringify(record.clock) : null,
      imported_json: record.imported ? JSON.stringify(record.imported) : null,
    });
  }

  /** Removes what an import has written so far. Its number is free again unless another run has come since. */
  async discard({ id, number }: { id: string; number: number }): Promise<void> {
    rmSync(capturePath(this.#queries.home, id), { force: true });
    while (this.#queries.raw.open && this.#queries.deleteChunks(number) > 0) await setImmediate();
    if (!this.#queries.raw.open) return;
    this.#queries.run('delete from runs where number = ?', number);
    const free = "update sqlite_sequence set seq = seq - 1 where name = 'runs' and seq = ?";
    this.#queries.run(free, number);
  }
}
