'use client';
import type { RunNote } from '@verbslab/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { AgentError } from '../connection/client';
import { request, useAgent } from '../connection/store';
import { draftSaved, dropDraft, keepDraft } from './drafts';
import { arrived, isDirty, isDue, refused, saved, sending, type Editing } from './editing';

/** Pause in typing after which a note is saved, ms. */
const PAUSE_MS = 700;

/** State of a note in an editor, saved automatically. `note`: the one at the agent; null if it has none. */
export function useEditing(from: Editing, note: RunNote | null, loaded: boolean) {
  const connected = useAgent((s) => s.status === 'open');
  const [editing, setEditing] = useState(from);
  const latest = useRef(editing);
  useEffect(() => {
    latest.current = editing;
  }, [editing]);

  // Passes a change that was made elsewhere to the editor.
  const [seen, setSeen] = useState<RunNote | null | undefined>(undefined);
  if (loaded && seen !== note) {
    setSeen(note);
    setEditing((old) => arrived(old, note));
  }

  const dirty = isDirty(editing);
  useEffect(() => {
    if (dirty) keepDraft(editing);
    else dropDraft(editing.runId, editing.noteId);
  }, [dirty, editing]);

  const save = useCallback(async (now: Editing) => {
    setEditing(sending);
    const { runId, noteId, version, mine } = now;
    const { text, tags, moment } = mine;
    try {
      const reply = await request('note.write', { runId, noteId, version, text, tags, moment });
      draftSaved(runId, noteId, text);
      setEditing((old) => saved(old, reply.note));
    } catch (e) {
      if (!(e instanceof AgentError)) throw e;
      setEditing((old) => refused(old, e));
    }
  }, []);

  useEffect(() => {
    if (!isDue(editing) || !connected) return;
    const timer = setTimeout(() => void save(editing), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [editing, connected, save]);

  // Leaving the page ends the typing.
  useEffect(
    () => () => {
      if (isDue(latest.current)) void save(latest.current);
    },
    [save],
  );

  /** Saves unsaved changes without waiting for the pause. */
  const flush = useCallback(() => {
    if (isDue(latest.current) && connected) void save(latest.current);
  }, [connected, save]);
  return { editing, setEditing, connected, flush };
}
