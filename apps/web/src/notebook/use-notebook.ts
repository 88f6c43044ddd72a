'use client';
import type { AgentMessage, RunNote } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { hear, request, useAgent } from '../connection/store';
import type { Failure } from '../ui/states';

export interface KnownNotes {
  /** In the order in which they were begun. */
  notes: readonly RunNote[];
  /** Every tag in use, to complete from. */
  known: readonly string[];
}

/** The notes after a message: the same where the message is about something else. */
export function afterMessage(
  notes: readonly RunNote[],
  message: AgentMessage,
  runId: string,
): readonly RunNote[] {
  if (message.type !== 'notebook.changed' || message.runId !== runId) return notes;
  const { note, noteId } = message;
  if (note === null) return notes.filter(({ id }) => id !== noteId);
  const old = notes.find(({ id }) => id === noteId);
  // Answers and messages may cross.
  if (old && old.version >= note.version) return notes;
  return old ? notes.map((one) => (one.id === noteId ? note : one)) : [...notes, note];
}

/** The notes of a run, kept up to date; read again after each connection. */
export function useNotebook(runId: string): { known: KnownNotes | null; failure: Failure | null } {
  const connected = useAgent((s) => s.status === 'open');
  const [known, setKnown] = useState<KnownNotes | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (!connected) return;
    let gone = false;
    const stop = hear((message) =>
      setKnown((old) => {
        const notes = old && afterMessage(old.notes, message, runId);
        return old && notes !== old.notes ? { ...old, notes: notes! } : old;
      }),
    );
    request('notebook.get', { runId }).then(
      ({ notes, known: tags }) => {
        if (gone) return;
        setKnown({ notes, known: tags });
        setFailure(null);
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
      stop();
    };
  }, [runId, connected]);
  return { known, failure };
}
