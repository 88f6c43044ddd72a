import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { AppError, stampFrame, type RunRecord } from '@verbslab/protocol';
import { readBundle, type BundleManifest, type BundlePart } from '@verbslab/protocol/bundle';
import { storageError } from '../config/storage.js';
import { VERSION } from '../config/version.js';
import { captureName } from '../store/capture-files.js';
import { sortCapture } from '../store/capture-order.js';
import type { ChunkItem } from '../store/chunk.js';
import { nodePack } from '../base/node-compression.js';
import type { RunStore } from '../store/store.js';

const CHUNK_BYTES = 1024 * 1024;
/** Bytes checked per turn of the event loop: a live run must not wait for the import. */
const TURN_BYTES = 64 * 1024;
/**
 * A run may exceed its limit by the agent's own events, to which the limit does not apply, and by the headers of items.
 */
const SLACK = 9 / 8;

/** Largest size of a bundle, inflated, where a run may store `runLimit` bytes. */
export const importLimit = (runLimit: number): number => Math.floor(runLimit * SLACK);

/** Thrown for a bundle of a run that is here already. */
export class AlreadyHere extends AppError {
  readonly run: RunRecord;

  constructor(run: RunRecord) {
    super('ALREADY_HERE', { number: run.number });
    this.run = run;
  }
}

export interface ImportOptions {
  store: RunStore;
  /** Bytes that the run may have. */
  limit: number;
  /** Take the run although it is here already. */
  again: boolean;
}

/**
 * Takes the run of a bundle into the history, and resolves with its record. The run appears only after all of it has
 * arrived unchanged; otherwise nothing of it stays. Rejects with an AppError that says why.
 */
export async function importBundle(
  pieces: AsyncIterable<Uint8Array>,
  { store, limit, again }: ImportOptions,
): Promise<RunRecord> {
  const parts = readBundle(pieces, { pack: nodePack, version: VERSION, limit });
  const first = await parts.next();
  if (first.done || first.value.what !== 'manifest')
    throw new AppError('BUNDLE_INVALID', { detail: 'no run' });
  const { manifest } = first.value;
  try {
    const here = again ? null : store.imports.find(originOf(manifest.run).runId);
    const known = here === null ? null : store.get(here);
    if (known) throw new AlreadyHere(known);
  } catch (error) {
    await parts.return();
    throw error;
  }
  const staged = new StagedRun(store, manifest);
  try {
    let turn = 0;
    for await (const part of parts) {
      turn += staged.take(part);
      if (turn < TURN_BYTES) continue;
      turn = 0;
      await setImmediate();
    }
    return staged.commit();
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Id and number of a run where it was recorded, whatever agents it has passed through since. */
const originOf = (run: RunRecord): { runId: string; number: number } =>
  run.imported ?? { runId: run.id, number: run.number };

/** A run that is arriving: its rows and its capture file, which nothing shows yet. */
class StagedRun {
  readonly #store: RunStore;
  readonly #manifest: BundleManifest;
  readonly #place: { id: string; number: number; captureFile: string };
  #items: ChunkItem[] = [];
  #itemBytes = 0;
  #firstSeq = 0;
  #nextSeq = 0;
  #lastT = 0;
  #recordedBytes = 0;
  #fd: number | null = null;

  constructor(store: RunStore, manifest: BundleManifest) {
    this.#store = store;
    this.#manifest = manifest;
    this.#place = store.imports.begin(manifest.run);
  }

  /** Takes a part. Returns its bytes. */
  take(part: BundlePart): number {
    switch (part.what) {
      case 'manifest':
        return 0;
      case 'event': {
        const json = part.event.kind === 'result' ? this.#renamed(part.text) : part.text;
        return this.#item(part, { frame: false, bytes: Buffer.from(json) }, part.text.length);
      }
      case 'frame': {
        const bytes = Buffer.from(part.bytes);
        stampFrame(bytes, this.#place.number, part.seq);
        return this.#item(part, { frame: true, bytes }, bytes.length);
      }
      case 'capture':
        this.#write(part.bytes);
        return part.bytes.length;
    }
  }

  /** Names the capture file as it is called here. All other parts of the result stay as recorded. */
  #renamed(text: string): string {
    const event = JSON.parse(text) as { result: { captureFile: string | null } };
    if (event.result.captureFile !== null) event.result.captureFile = captureName(this.#place.id);
    return JSON.stringify(event);
  }

  #item({ seq, t }: { seq: number; t: number }, item: ChunkItem, recorded: number): number {
    // A chunk has no gaps between its items.
    if (seq !== this.#nextSeq || this.#itemBytes >= CHUNK_BYTES) this.#flush();
    if (this.#items.length === 0) this.#firstSeq = seq;
    this.#items.push(item);
    this.#itemBytes += item.bytes.length;
    this.#nextSeq = seq + 1;
    this.#lastT = Math.max(this.#lastT, t);
    this.#recordedBytes += recorded;
    return item.bytes.length;
  }

  #flush(): void {
    if (this.#items.length > 0) this.#store.imports.append(this.#place.number, this.#firstSeq, this.#items);
    this.#items = [];
    this.#itemBytes = 0;
  }

  #write(bytes: Uint8Array): void {
    const { captureFile } = this.#place;
    try {
      this.#fd ??= openSync(captureFile, 'wx', 0o600);
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(this.#fd, rest));
    } catch (error) {
      throw storageError(error, captureFile);
    }
  }

  #close(): boolean {
    if (this.#fd === null) return false;
    closeSync(this.#fd);
    this.#fd = null;
    return true;
  }

  /** Sorts the packets by time: older versions left them in the order of their arrival. */
  #sort(): void {
    const { captureFile } = this.#place;
    try {
      sortCapture(captureFile);
    } catch (error) {
      throw storageError(error, captureFile);
    }
  }

  commit(): RunRecord {
    this.#flush();
    const captured = this.#close();
    if (captured) this.#sort();
    const { run, host, notebook } = this.#manifest;
    const { sweep, ...record } = run;
    this.#store.notebook.take(this.#place, notebook);
    const imported = run.imported ?? { host, ...originOf(run), ...(sweep ? { sweep } : {}) };
    this.#store.imports.commit(
      this.#place,
      { ...record, imported: { ...imported, at: Date.now() } },
      { lastT: this.#lastT, recordedBytes: this.#recordedBytes, captured },
    );
    return this.#store.get(this.#place.id)!;
  }

  async discard(): Promise<void> {
    this.#close();
    this.#store.notebook.forget(this.#place.number);
    await this.#store.imports.discard(this.#place);
  }
}
