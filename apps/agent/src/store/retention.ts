import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { AppError, isFinal, type RunRecord } from '@verbslab/protocol';
import { capturedRuns, capturePath, countCapture, removeLeftOvers } from './capture-files.js';
import type { NotebookStore } from './notebook-store.js';
import { HISTORY, LISTED, REMOVED, type Queries } from './queries.js';
import type { RunRow } from './schema.js';

/** Pages of 16 KiB given back per turn of the event loop. */
const PAGES_PER_TURN = 64;
const RESERVE = Buffer.alloc(1024 * 1024, 0x76);

/** Limits on the history; 0 is no limit. */
export interface Keep {
  runs: number;
  bytes: number;
}

/** Retention of the history: deletes runs, gives their space back, and keeps some space for a full disk. */
export class Retention {
  readonly #queries: Queries;
  readonly #notebook: NotebookStore;
  #clearing: Promise<void> | null = null;

  constructor(queries: Queries, notebook: NotebookStore) {
    this.#queries = queries;
    this.#notebook = notebook;
    this.#keepReserve();
    this.#clear();
  }

  /**
   * Keeps a reserve of disk space, which is given up so that a full disk does not keep a run's end out of the history.
   */
  #keepReserve(): void {
    try {
      if (!existsSync(this.#queries.home.reserve))
        writeFileSync(this.#queries.home.reserve, RESERVE, { mode: 0o600 });
    } catch {
      // The disk is nearly full already. A later write will report its own failure.
      rmSync(this.#queries.home.reserve, { force: true });
    }
  }

  /** Gives up the reserve, for a last write on a full disk. */
  makeRoom(): void {
    rmSync(this.#queries.home.reserve, { force: true });
  }

  /**
   * Removes a run, with the parts of a joined one, from every list at once. Its rows and pages are cleared in turns:
   * see `cleared`.
   */
  delete(id: string): void {
    const parts = this.#queries.all<Pick<RunRow, 'id'>>(
      `select id from ${HISTORY} and json_extract(part_of_json, '$.id') = ?`,
      id,
    );
    for (const part of parts) this.delete(part.id);
    // The capture goes first: on a full disk, the database needs its space for the rest.
    rmSync(capturePath(this.#queries.home, id), { force: true });
    const remove = () => this.#queries.update('runs', 'id', id, { state: REMOVED });
    try {
      remove();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DISK_FULL') throw error;
      this.makeRoom();
      remove();
    }
    const row = this.#queries.get<Pick<RunRow, 'number'>>('select number from runs where id = ?', id);
    if (row) this.#notebook.forget(row.number);
    this.#clear();
  }

  /** Resolves when deleted runs are cleared and their space has been given back. */
  get cleared(): Promise<void> {
    return this.#clearing ?? Promise.resolve();
  }

  #clear(): void {
    this.#clearing ??= this.#clearInTurns()
      // The next deletion, or the next start, tries again.
      .catch(() => undefined)
      .finally(() => (this.#clearing = null));
  }

  async #clearInTurns(): Promise<void> {
    const removed = 'select number from runs where state = ? limit 1';
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#queries.raw.open) return;
      const row = this.#queries.get<Pick<RunRow, 'number'>>(removed, REMOVED);
      if (row) {
        if (this.#queries.deleteChunks(row.number) === 0)
          this.#queries.run('delete from runs where number = ?', row.number);
      } else if ((this.#queries.raw.pragma('freelist_count', { simple: true }) as number) > 0) {
        this.#queries.raw.pragma(`incremental_vacuum(${PAGES_PER_TURN})`);
      } else {
        this.#keepReserve();
        return;
      }
    }
  }

  /**
   * Ended runs beyond the limits, oldest first. The latest ended run is always kept, and so is a run with notes or
   * tags: only the person who wrote them deletes them.
   */
  surplus(keep: Keep): string[] {
    const rows = this.#queries.all<Part & Pick<RunRow, 'state'>>(
      `select id, number, state, recorded_bytes, capture_json from ${LISTED} order by number desc`,
    );
    const partsOf = this.#parts();
    let runs = 0;
    let bytes = 0;
    let ended = 0;
    const surplus: string[] = [];
    for (const row of rows) {
      runs++;
      const all = [row, ...allParts(row.id, partsOf)];
      bytes += all.reduce((sum, one) => sum + this.#bytesOf(one), 0);
      if (!isFinal(row.state as RunRecord['state']) || ended++ === 0) continue;
      if (all.some(({ number }) => this.#notebook.has(number))) continue;
      if ((keep.runs > 0 && runs > keep.runs) || (keep.bytes > 0 && bytes > keep.bytes))
        surplus.unshift(row.id);
    }
    return surplus;
  }

  /**
   * All parts of joined runs, by their joined run. They are read once, since the history is checked after every run.
   */
  #parts(): Map<string, Part[]> {
    const rows = this.#queries.all<Part & { part_of_json: string }>(
      `select id, number, recorded_bytes, capture_json, part_of_json from ${HISTORY} and part_of_json is not null`,
    );
    const parts = new Map<string, Part[]>();
    for (const row of rows) {
      const { id } = JSON.parse(row.part_of_json) as { id: string };
      const known = parts.get(id);
      if (known) known.push(row);
      else parts.set(id, [row]);
    }
    return parts;
  }

  #bytesOf(row: Part): number {
    return row.recorded_bytes + (row.capture_json === null ? 0 : this.#captureBytes(row.id));
  }

  #captureBytes(id: string): number {
    return statSync(capturePath(this.#queries.home, id), { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Sorts out captures at the start of the agent. A killed agent may have left a capture that the history does not
   * mention, or one of a deleted run. The first kind is taken in, the second removed. Returns the ids of both.
   */
  sortCaptures(): { found: string[]; swept: string[] } {
    const found: string[] = [];
    const swept: string[] = [];
    removeLeftOvers(this.#queries.home);
    for (const id of capturedRuns(this.#queries.home)) {
      const row = this.#queries.get<Pick<RunRow, 'capture_json'>>(
        `select capture_json from ${HISTORY} and id = ?`,
        id,
      );
      const path = capturePath(this.#queries.home, id);
      if (!row) {
        rmSync(path, { force: true });
        swept.push(id);
      } else if (row.capture_json === null) {
        const capture = countCapture(path);
        if (!capture) continue;
        this.#queries.update('runs', 'id', id, { capture_json: JSON.stringify(capture) });
        found.push(id);
      }
    }
    return { found, swept };
  }
}

type Part = Pick<RunRow, 'id' | 'number' | 'recorded_bytes' | 'capture_json'>;

/** The parts of a joined run, and their parts. */
const allParts = (id: string, partsOf: ReadonlyMap<string, Part[]>): Part[] =>
  (partsOf.get(id) ?? []).flatMap((part) => [part, ...allParts(part.id, partsOf)]);
