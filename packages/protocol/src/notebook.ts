/** The notebook: notes of people about runs. It is kept with the history, separate from a run's own record. */
import { z } from 'zod';
import { push, reply, request } from './message.js';
import { ID_FORM } from './ids.js';
import { MAX_NOTES, MAX_TAG, MAX_TAGS } from './notebook-limits.js';
import { RUN, zRunId, zRunRecord } from './runs.js';
import { zCount, zU24, zU32 } from './verbs.js';

export const zTag = z.string().max(MAX_TAG);

/** Selection on the run's page when the note was begun, in the terms of the page's address. */
const zSelection = z.object({
  /** Number of a packet in the list of packets, from 1. */
  packet: zCount.optional(),
  /** Sequence numbers of a `wr` event, and of another event. */
  wr: zU32.optional(),
  event: zU32.optional(),
  qp: z.object({ endpoint: z.string().max(100), qpn: zU24 }).optional(),
});

/** A place in a run that a note is about. */
export const zMoment = z.object({
  /** Time in nanoseconds since the run was created, like `t` of events. */
  t: z.number().min(0),
  selection: zSelection.optional(),
});
export type Moment = z.infer<typeof zMoment>;

export const zNoteId = z.string().regex(ID_FORM);

const written = {
  /** Text in Markdown. */
  text: z.string(),
  tags: z.array(zTag),
  /** Place in the run; null: the note is about the whole run. */
  moment: zMoment.nullable(),
};

/** A note about a run. Times are milliseconds since 1970. */
export const zRunNote = z.object({
  id: zNoteId,
  runId: zRunId,
  /** Version, incremented with every change. */
  version: z.int().min(1),
  ...written,
  createdAt: z.number(),
  changedAt: z.number(),
});
export type RunNote = z.infer<typeof zRunNote>;

/** All notes and tags of a run. */
export const zRunNotebook = z.object({
  runId: zRunId,
  tags: z.array(zTag),
  /** Notes in the order in which they were begun. */
  notes: z.array(zRunNote).max(MAX_NOTES),
});
export type RunNotebook = z.infer<typeof zRunNotebook>;

export const NOTEBOOK_MESSAGES = [
  /** Returns notes and tags of a run. */
  request(
    'notebook.get',
    { runId: zRunId },
    reply('notebook', {
      ...zRunNotebook.shape,
      /** Every tag in use, the most used first, for completion. */
      known: z.array(zTag),
    }),
    { what: 'tags and notes of a run, and every tag in use (`known`)' },
  ),
  /** Lists notes of all runs, newest first. */
  request(
    'notebook.list',
    {
      limit: z.int().min(1).max(200).optional(),
      /** Only notes that were begun before this one, for the next page. */
      before: zNoteId.optional(),
      /** Words, each of which must be in the text, the tags, or the number or title of the run. */
      query: z.string().max(200).optional(),
      /** Tag of the note or of its run. */
      tag: zTag.optional(),
    },
    reply('notes', {
      notes: z.array(
        z.object({
          note: zRunNote,
          run: zRunRecord.pick({ id: true, number: true, title: true, tags: true }),
        }),
      ),
      more: z.boolean(),
      /** Number of all notes that match, on any page. */
      total: zCount,
      known: z.array(zTag),
    }),
    { what: 'notes of all runs, newest first, by `query` and `tag`' },
  ),
  /** Finds runs that have a note with each word in its text, for a search in the list of runs. */
  request(
    'notebook.find',
    { words: z.array(z.string().min(1).max(200)).max(20) },
    reply('notebook.found', {
      /** Ids of runs by word. */
      runs: z.record(z.string(), z.array(zRunId)),
    }),
    { what: 'the runs whose notes have the given words' },
  ),
  /**
   * Begins a note (`version` 0), or changes the version that the writer has read. Any other version is a NOTE_CONFLICT.
   * The writer chooses the id, so that a message that is sent again after a lost connection does not create a second
   * note.
   */
  request(
    'note.write',
    { runId: zRunId, noteId: zNoteId, version: zCount, ...written },
    reply('note', { note: zRunNote }),
    { what: 'begins or changes a note; see below' },
  ),
  request(
    'note.delete',
    {
      runId: zRunId,
      noteId: zNoteId,
      /** Version that the writer has read. */
      version: zCount,
    },
    reply('note.deleted', { noteId: zNoteId }),
    { what: 'deletes a note; see below' },
  ),
  /** Adds tags to a run and removes others. Tags that are already present, or already absent, are no error. */
  request(
    'run.tag',
    {
      runId: zRunId,
      add: z.array(z.string().max(200)).max(MAX_TAGS).optional(),
      remove: z.array(z.string().max(200)).max(MAX_TAGS).optional(),
    },
    RUN,
    { what: 'adds tags to a run and removes others: `add`, `remove`' },
  ),
  /**
   * To every client but peers, without a request: a note was written, or deleted (`note` is null). Tags of a run come
   * with `run.changed`.
   */
  push('notebook.changed', { runId: zRunId, noteId: zNoteId, note: zRunNote.nullable() }),
];
