import type { RunNote } from '@verbslab/protocol';
import type { AgentError } from '../connection/client';
import { toFailure } from '../connection/failure';
import type { Failure } from '../ui/states';

/** Fields of a note that a person writes. */
export type Content = Pick<RunNote, 'text' | 'tags' | 'moment'>;

/** A note in the editor. The agent's version is kept separate from the text in the editor. */
export interface Editing {
  runId: string;
  noteId: string;
  /** Version that the text in the editor is based on; 0: the agent has none. */
  version: number;
  /** Content of that version at the agent. */
  kept: Content;
  mine: Content;
  /** Content that is being sent to the agent. */
  sent: Content | null;
  /** Content that was being sent when the connection was lost: the agent may have it or not. */
  lost: Content | null;
  /** Newer version that was written elsewhere in the meantime. */
  theirs: RunNote | null;
  /** True if the note was deleted elsewhere in the meantime. */
  gone: boolean;
  failure: Failure | null;
}

export const NOTHING: Content = { text: '', tags: [], moment: null };

const contentOf = ({ text, tags, moment }: Content): Content => ({ text, tags, moment });
const same = (one: Content, other: Content): boolean =>
  one.text === other.text &&
  JSON.stringify([one.tags, one.moment]) === JSON.stringify([other.tags, other.moment]);

export function begin(note: RunNote): Editing {
  const { runId, id: noteId, version } = note;
  const content = contentOf(note);
  return { ...fresh(runId, noteId, content), version, kept: content };
}

export function fresh(runId: string, noteId: string, mine: Content): Editing {
  return {
    ...{ runId, noteId, version: 0, kept: NOTHING, mine, sent: null, lost: null },
    ...{ theirs: null, gone: false, failure: null },
  };
}

/** True if the editor has changes that the agent does not have. A new note without text has none. */
export const isDirty = ({ mine, kept, version }: Editing): boolean =>
  version === 0 ? mine.text.trim() !== '' : !same(mine, kept);

/** True if the note should be sent to the agent now. */
export const isDue = (editing: Editing): boolean =>
  isDirty(editing) && !editing.sent && !editing.theirs && !editing.gone && !editing.failure;

export const typed = (editing: Editing, part: Partial<Content>): Editing => ({
  ...editing,
  mine: { ...editing.mine, ...part },
  failure: null,
});

export const sending = (editing: Editing): Editing => ({ ...editing, sent: editing.mine, failure: null });

/** The state after the agent has saved what was sent. Later changes are yet to be sent. */
export const saved = (editing: Editing, note: RunNote): Editing => ({
  ...editing,
  version: note.version,
  kept: contentOf(note),
  // Tags come back in the agent's form.
  mine: editing.sent && same(editing.mine, editing.sent) ? contentOf(note) : editing.mine,
  sent: null,
  lost: null,
  theirs: null,
});

/**
 * The state after the agent refused. A lost connection is no failure: the note is sent again after the next welcome.
 */
export function refused(editing: Editing, error: AgentError): Editing {
  const { code } = error.info;
  const idle = { ...editing, sent: null };
  if (code === 'DISCONNECTED' || code === 'NO_ANSWER') return { ...idle, lost: editing.sent };
  // The other version arrives, or has arrived, in a message of its own.
  if (code === 'NOTE_CONFLICT') return idle;
  if (code === 'UNKNOWN_NOTE') return { ...idle, gone: true };
  return { ...idle, failure: toFailure(error) };
}

/** The state after a message that the agent has another version of the note, or none any more. */
export function arrived(editing: Editing, note: RunNote | null): Editing {
  if (note === null) return editing.version === 0 ? editing : { ...editing, gone: true };
  if (note.version <= editing.version) return editing;
  // The reply to the save has this version too.
  if (editing.sent && same(editing.sent, note)) return editing;
  if (editing.lost && same(editing.lost, note))
    return { ...editing, version: note.version, kept: contentOf(note), lost: null };
  if (same(editing.mine, note)) return { ...editing, ...begin(note) };
  return isDirty(editing) ? { ...editing, theirs: note } : begin(note);
}

/** The state after the conflict is resolved: the editor's text, the agent's text, or both, one below the other. */
export function decided(editing: Editing, how: 'mine' | 'theirs' | 'both'): Editing {
  const { theirs, mine } = editing;
  if (!theirs) return editing;
  const now = begin(theirs);
  if (how === 'theirs') return now;
  const tags = [...new Set([...mine.tags, ...theirs.tags])];
  return {
    ...now,
    mine: how === 'mine' ? mine : { ...mine, tags, text: `${mine.text}\n\n${theirs.text}` },
  };
}

/** A new note with the text of one that was deleted elsewhere. */
export const asNew = (editing: Editing, noteId: string): Editing =>
  fresh(editing.runId, noteId, editing.mine);

export type SaveState = 'empty' | 'saved' | 'saving' | 'waiting' | 'unsaved' | 'conflict' | 'gone' | 'failed';

export function saveState(editing: Editing, connected: boolean): SaveState {
  if (editing.gone) return 'gone';
  if (editing.theirs) return 'conflict';
  if (editing.failure) return 'failed';
  if (editing.sent) return 'saving';
  if (!isDirty(editing)) return editing.version === 0 ? 'empty' : 'saved';
  return connected ? 'unsaved' : 'waiting';
}
