import {
  AppError,
  MAX_NOTES,
  MAX_NOTE_TEXT,
  MAX_TAGS,
  parseJson,
  TAG_RULE,
  tagOf,
  zRunNote,
  type AgentMessageOf,
  type ClientMessageOf,
  type RunNote,
  type RunRecord,
} from '@verbslab/protocol';
import { newId } from './new-id.js';
import { REMOVED, type Queries } from './queries.js';
import type { NoteRow, RunTagRow } from './schema.js';

type Run = Pick<RunRecord, 'id' | 'number'>;
type Listed = AgentMessageOf<'notes'>['notes'][number];
type Marks = Pick<RunRecord, 'tags' | 'noteCount'>;
type FoundNote = NoteRow & { run_id: string; run_number: number; title: string };

export type NoteWritten = Pick<
  ClientMessageOf<'note.write'>,
  'noteId' | 'version' | 'text' | 'tags' | 'moment'
>;
export type NoteQuery = Pick<ClientMessageOf<'notebook.list'>, 'before' | 'query' | 'tag'> & {
  limit: number;
};

/** Reads tags. Throws AppError BAD_TAG, LIMIT. */
function readTags(given: readonly string[]): string[] {
  const tags = given.map((text) => {
    const tag = tagOf(text);
    if (tag === null) throw new AppError('BAD_TAG', { tag: text.slice(0, 60), rule: TAG_RULE });
    return tag;
  });
  return [...new Set(tags)];
}

function limit(what: string, value: number, most: number): void {
  if (value > most) throw new AppError('LIMIT', { what, value, limit: most });
}

const same = (note: RunNote, other: Omit<NoteWritten, 'noteId' | 'version'>): boolean =>
  note.text === other.text &&
  JSON.stringify([note.tags, note.moment]) === JSON.stringify([other.tags, other.moment]);

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Notes and tags of runs, in the database of the history. They are deleted with their run. */
export class NotebookStore {
  readonly #queries: Queries;
  /** Tags and number of notes of the runs that have any: lists show them with every run. */
  readonly #marks = new Map<number, { tags: string[]; notes: number }>();

  constructor(queries: Queries) {
    this.#queries = queries;
    for (const { run, tag } of queries.all<RunTagRow>('select * from run_tags order by tag'))
      this.#marked(run).tags.push(tag);
    for (const { run } of queries.all<Pick<NoteRow, 'run'>>('select run from notes'))
      this.#marked(run).notes++;
  }

  #marked(run: number): { tags: string[]; notes: number } {
    const marks = this.#marks.get(run) ?? { tags: [], notes: 0 };
    this.#marks.set(run, marks);
    return marks;
  }

  /** Tags and number of notes for the record of a run. */
  marks(run: number): Marks {
    const marks = this.#marks.get(run);
    return {
      ...(marks && marks.tags.length > 0 ? { tags: marks.tags } : {}),
      ...(marks && marks.notes > 0 ? { noteCount: marks.notes } : {}),
    };
  }

  /** True if a person has written something about the run. */
  has(run: number): boolean {
    return Object.keys(this.marks(run)).length > 0;
  }

  /** Tags and notes of a run: everything that a copy of the run must hold. */
  of(run: Run): { tags: string[]; notes: RunNote[] } {
    return {
      tags: this.#marks.get(run.number)?.tags ?? [],
      notes: this.#notes('and run = ? order by notes.number', run.number).map(noteOf),
    };
  }

  /** All tags in use, the most used first. */
  known(): string[] {
    const uses = new Map<string, number>();
    const take = (tag: string): unknown => uses.set(tag, (uses.get(tag) ?? 0) + 1);
    for (const { tags } of this.#marks.values()) tags.forEach(take);
    for (const { tags_json } of this.#notes()) (parseJson(tags_json) as string[]).forEach(take);
    return [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
  }

  /** Lists notes, newest first. */
  list({ before, query = '', tag, limit: most }: NoteQuery): {
    notes: Listed[];
    more: boolean;
    total: number;
  } {
    const words = wordsOf(query);
    const fitting = this.#notes('order by notes.number desc')
      .map((row): Listed => {
        const { run_number: number, title, run_id: id } = row;
        const { tags = [] } = this.marks(number);
        return { note: noteOf(row), run: { id, number, title, tags } };
      })
      .filter(({ note, run }) => {
        const tags = [...note.tags, ...(run.tags ?? [])];
        if (tag !== undefined && !tags.includes(tag)) return false;
        const text = [note.text, ...tags, `#${run.number}`, run.title].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      });
    const from = before === undefined ? 0 : fitting.findIndex(({ note }) => note.id === before) + 1;
    const notes = fitting.slice(from, from + most);
    return { notes, more: fitting.length > from + most, total: fitting.length };
  }

  /** Finds the runs with a note that contains a word, by word. */
  find(words: readonly string[]): Record<string, string[]> {
    const notes = this.#notes();
    return Object.fromEntries(
      words.map((word) => {
        const found = notes.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
        return [word, [...new Set(found.map(({ run_id }) => run_id))]];
      }),
    );
  }

  /**
   * Creates or changes a note. A note that already has this content stays unchanged, whatever version the message
   * names: the same message may have come twice. Throws AppError NOTE_CONFLICT, UNKNOWN_NOTE, LIMIT, BAD_TAG.
   */
  write(run: Run, { noteId, version, text, tags: given, moment }: NoteWritten): RunNote {
    limit('Too many characters in a note', text.length, MAX_NOTE_TEXT);
    const tags = readTags(given);
    limit('Too many tags on a note', tags.length, MAX_TAGS);
    const now = Date.now();
    const values = {
      text,
      tags_json: JSON.stringify(tags),
      moment_json: moment && JSON.stringify(moment),
      changed_at: now,
    };
    const old = this.#find(noteId);
    if (old && old.runId !== run.id)
      throw new AppError('BAD_MESSAGE', { detail: `noteId: ${noteId} is a note of another run` });
    if (old && same(old, { text, tags, moment })) return old;
    if (!old && version > 0) throw new AppError('UNKNOWN_NOTE', { note: noteId });
    if (old && old.version !== version) throw new AppError('NOTE_CONFLICT');
    if (old) {
      this.#queries.update('notes', 'id', noteId, { ...values, version: version + 1 });
    } else {
      const notes = (this.#marks.get(run.number)?.notes ?? 0) + 1;
      limit('Too many notes on a run', notes, MAX_NOTES);
      const made = { id: noteId, run: run.number, version: 1, created_at: now };
      this.#queries.insert('notes', { ...values, ...made });
      this.#marked(run.number).notes = notes;
    }
    return this.#find(noteId)!;
  }

  /** Takes the notes and tags of an imported run. Notes get new IDs: those of the original may be here, too. */
  take(run: Run, { tags, notes }: { tags: readonly string[]; notes: readonly RunNote[] }): void {
    for (const { version, text, tags: own, moment, createdAt, changedAt } of notes)
      this.#queries.insert('notes', {
        id: newId(),
        run: run.number,
        version,
        text,
        tags_json: JSON.stringify(own),
        moment_json: moment && JSON.stringify(moment),
        created_at: createdAt,
        changed_at: changedAt,
      });
    if (notes.length > 0) this.#marked(run.number).notes = notes.length;
    if (tags.length > 0) this.tag(run, tags, []);
  }

  /** Deletes a note. Returns false if it is already gone. Throws AppError NOTE_CONFLICT. */
  delete(run: Run, noteId: string, version: number): boolean {
    const old = this.#find(noteId);
    if (old?.runId !== run.id) return false;
    if (old.version !== version) throw new AppError('NOTE_CONFLICT');
    this.#queries.run('delete from notes where id = ?', noteId);
    this.#marked(run.number).notes--;
    return true;
  }

  /** Adds and removes tags. Throws AppError BAD_TAG, LIMIT. */
  tag(run: Run, add: readonly string[], remove: readonly string[]): void {
    const off = new Set(readTags(remove));
    const old = this.#marks.get(run.number)?.tags ?? [];
    const tags = [...new Set([...old, ...readTags(add)])].filter((tag) => !off.has(tag)).sort();
    limit('Too many tags on a run', tags.length, MAX_TAGS);
    this.#queries.atomically(() => {
      this.#queries.run('delete from run_tags where run = ?', run.number);
      for (const tag of tags) this.#queries.insert('run_tags', { run: run.number, tag });
    });
    this.#marked(run.number).tags = tags;
  }

  /** Moves the notes and tags of a run to another run. Throws AppError LIMIT. */
  move(from: Run, to: Run): void {
    const { tags = [], noteCount = 0 } = this.marks(from.number);
    const notes = (this.#marks.get(to.number)?.notes ?? 0) + noteCount;
    limit('Too many notes on a run', notes, MAX_NOTES);
    if (tags.length > 0) this.tag(to, tags, []);
    if (noteCount === 0) return;
    // A selection means something else in the other run.
    const set =
      "update notes set run = ?, moment_json = json_remove(moment_json, '$.selection') where run = ?";
    this.#queries.run(set, to.number, from.number);
    this.#marked(to.number).notes = notes;
    this.#marks.delete(from.number);
  }

  /** Forgets a deleted run: its rows are deleted later, and are in no list from now on. */
  forget(run: number): void {
    this.#marks.delete(run);
  }

  /** Selects notes of runs that are in the lists; `rest` continues the condition. */
  #notes(rest = '', ...values: (string | number)[]): FoundNote[] {
    const query = `select notes.*, runs.id as run_id, runs.number as run_number, runs.title as title
      from notes join runs on runs.number = notes.run where runs.state <> '${REMOVED}' ${rest}`;
    return this.#queries.all<FoundNote>(query, ...values);
  }

  #find(id: string): RunNote | null {
    const [row] = this.#notes('and notes.id = ?', id);
    return row ? noteOf(row) : null;
  }
}

const noteOf = (row: FoundNote): RunNote =>
  zRunNote.parse({
    id: row.id,
    runId: row.run_id,
    version: row.version,
    text: row.text,
    tags: parseJson(row.tags_json),
    moment: row.moment_json === null ? null : parseJson(row.moment_json),
    createdAt: row.created_at,
    changedAt: row.changed_at,
  });
