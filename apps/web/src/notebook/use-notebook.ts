'use client';
import type { AgentMessage, RunNote } from '@verbslab/protocol';
import { request } from '../connection/store';
import { useKept } from '../connection/use-kept';

export interface KnownNotes {
  /** Notes in the order in which they were begun. */
  notes: readonly RunNote[];
  /** Tags in use, for completion. */
  known: readonly string[];
}

/** The notes after a message; unchanged if the message is about something else. */
export function afterMessage(
  notes: readonly RunNote[],
  message: AgentMessage,
  runId: string,
): readonly RunNote[] {
  if (message.type !== 'notebook.changed' || message.runId !== runId) return notes;
  const { note, noteId } = message;
  if (note === null) return notes.filter(({ id }) => id !== noteId);
  const old = notes.find(({ id }) => id === noteId);
  // Replies and messages may cross.
  if (old && old.version >= note.version) return notes;
  return old ? notes.map((one) => (one.id === noteId ? note : one)) : [...notes, note];
}

/** The notes of a run. */
export const useNotebook = (runId: string) =>
  useKept<KnownNotes>(
    runId,
    () => request('notebook.get', { runId }),
    (kept, message) => {
      const notes = afterMessage(kept.notes, message, runId);
      return notes === kept.notes ? kept : { ...kept, notes };
    },
  );
