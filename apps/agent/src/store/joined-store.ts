import type { RunRecord } from '@verbslab/protocol';
import type { Imported, ImportStore } from './import-store.js';
import type { NotebookStore } from './notebook-store.js';
import type { Queries } from './queries.js';
import type { Retention } from './retention.js';

type Run = Pick<RunRecord, 'id' | 'number'>;

/**
 * The relation between joined runs and their parts, in the database of the history. The rows of a part stay as they
 * are.
 */
export class JoinedStore {
  readonly #queries: Queries;
  readonly #imports: ImportStore;
  readonly #notebook: NotebookStore;
  readonly #retention: Retention;

  constructor(queries: Queries, imports: ImportStore, notebook: NotebookStore, retention: Retention) {
    this.#queries = queries;
    this.#imports = imports;
    this.#notebook = notebook;
    this.#retention = retention;
  }

  #setPartOf({ id }: Run, whole: Run | null): void {
    const part_of_json = whole && JSON.stringify({ id: whole.id, number: whole.number });
    this.#queries.update('runs', 'id', id, { part_of_json });
  }

  /** Adds a complete joined run to the lists, and removes its parts from them. */
  commit(place: Run & { captureFile: string }, record: RunRecord, written: Imported): void {
    const { parts = [], startedAt: started_at } = record;
    this.#queries.atomically(() => {
      this.#imports.commit(place, record, written);
      this.#queries.update('runs', 'number', place.number, { parts_json: JSON.stringify(parts), started_at });
      for (const part of parts) this.#setPartOf(part, place);
    });
  }

  /**
   * Deletes the joined run and puts its parts back into the lists. Its notes and tags go to the first part, which has
   * the same clock. Throws AppError LIMIT.
   */
  separate(whole: Run, parts: readonly Run[]): void {
    const [first] = parts;
    if (first) this.#notebook.move(whole, first);
    this.#queries.atomically(() => {
      for (const part of parts) this.#setPartOf(part, null);
    });
    this.#retention.delete(whole.id);
  }
}
