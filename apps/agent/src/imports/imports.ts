import { AppError, type RunRecord } from '@verbslab/protocol';
import { importBundle, importLimit } from './import.js';
import type { RunManager } from '../runs/manager.js';
import type { RunStore } from '../store/store.js';

/** Takes runs of other hosts in, one at a time, and lets every client know. */
export class Imports {
  readonly #manager: RunManager;
  readonly #store: RunStore;
  /** Bytes that an imported run, and so its file, may have. */
  readonly limit: number;
  #busy = false;

  constructor(manager: RunManager, store: RunStore, runLimit: number) {
    this.#manager = manager;
    this.#store = store;
    this.limit = importLimit(runLimit);
  }

  /** Takes the run of a bundle into the history. Rejects with an AppError, and leaves nothing then. */
  async take(pieces: AsyncIterable<Uint8Array>, again: boolean): Promise<RunRecord> {
    if (this.#busy) throw new AppError('IMPORT_BUSY');
    this.#busy = true;
    try {
      const { id } = await importBundle(pieces, { store: this.#store, limit: this.limit, again });
      this.#manager.annotated(id);
      const record = this.#manager.get(id);
      this.#manager.tidy();
      return record;
    } finally {
      this.#busy = false;
    }
  }
}
