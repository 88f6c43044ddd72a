import { EventEmitter } from 'node:events';
import type { AgentMessage, AgentMessageOf, ClientMessageOf, RunNote, RunRecord } from '@verbslab/protocol';
import { answers, hear, type Subsystem } from '../base/subsystem.js';
import type { RunManager } from './manager.js';
import type { NotebookStore } from '../store/notebook-store.js';

type NotebookChange = Omit<AgentMessageOf<'notebook.changed'>, 'type'>;

interface Events {
  changed: [NotebookChange];
}

/** Keeps the notes and tags that clients write about runs, and reports them to every client. */
export class Notebook extends EventEmitter<Events> implements Subsystem {
  readonly messages = answers({
    'notebook.get': ({ runId }) => ({ runId, ...this.of(runId), known: this.known }),
    'notebook.list': (message) => ({ ...this.list(message), known: this.known }),
    'notebook.find': ({ words }) => ({ runs: this.find(words) }),
    'note.write': (message) => ({ note: this.write(message) }),
    'note.delete': (message) => {
      this.delete(message);
      return { noteId: message.noteId };
    },
    'run.tag': (message) => ({ run: this.tag(message) }),
  });
  readonly #manager: RunManager;
  readonly #store: NotebookStore;

  constructor(manager: RunManager, store: NotebookStore) {
    super();
    this.#manager = manager;
    this.#store = store;
    this.setMaxListeners(0);
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<Events>(this, { changed: (change) => send({ type: 'notebook.changed', ...change }) });
  }

  /** All tags in use, the most used first. */
  get known(): string[] {
    return this.#store.known();
  }

  of(runId: string): { tags: string[]; notes: RunNote[] } {
    return this.#store.of(this.#manager.get(runId));
  }

  list({
    limit = 50,
    before,
    query,
    tag,
  }: ClientMessageOf<'notebook.list'>): ReturnType<NotebookStore['list']> {
    return this.#store.list({ limit, before, query, tag });
  }

  find(words: readonly string[]): Record<string, string[]> {
    return this.#store.find(words);
  }

  write({ runId, noteId, ...written }: ClientMessageOf<'note.write'>): RunNote {
    const note = this.#store.write(this.#manager.get(runId), { noteId, ...written });
    this.emit('changed', { runId, noteId, note });
    if (note.version === 1) this.#manager.annotated(runId);
    return note;
  }

  /** Deletes a note. A note that is already gone is no error. */
  delete({ runId, noteId, version }: ClientMessageOf<'note.delete'>): void {
    if (!this.#store.delete(this.#manager.get(runId), noteId, version)) return;
    this.emit('changed', { runId, noteId, note: null });
    this.#manager.annotated(runId);
  }

  tag({ runId, add = [], remove = [] }: ClientMessageOf<'run.tag'>): RunRecord {
    this.#store.tag(this.#manager.get(runId), add, remove);
    this.#manager.annotated(runId);
    return this.#manager.get(runId);
  }
}
