import type { Content, Editing } from './editing';

/** Text that the agent has not saved yet. The browser keeps it, so that it survives a reload and a stopped agent. */
export interface Draft {
  noteId: string;
  version: number;
  kept: Content;
  mine: Content;
}

const PREFIX = 'verbslab.draft.';
const keyOf = (runId: string, noteId: string): string => `${PREFIX}${runId}.${noteId}`;

/** Runs `body`. The browser may refuse to store anything: a draft then lives as long as its page. */
function attempt<T>(body: () => T, otherwise: T): T {
  try {
    return body();
  } catch {
    return otherwise;
  }
}

export function keepDraft({ runId, noteId, version, kept, mine }: Editing): void {
  const draft: Draft = { noteId, version, kept, mine };
  attempt(() => localStorage.setItem(keyOf(runId, noteId), JSON.stringify(draft)), undefined);
}

export function dropDraft(runId: string, noteId: string): void {
  attempt(() => localStorage.removeItem(keyOf(runId, noteId)), undefined);
}

/** Drops the draft after the agent has saved this text, unless more was typed in the meantime. */
export function draftSaved(runId: string, noteId: string, text: string): void {
  if (draftsOf(runId).some((one) => one.noteId === noteId && one.mine.text === text))
    dropDraft(runId, noteId);
}

/** Drafts of a run that were not saved. */
export function draftsOf(runId: string): Draft[] {
  return attempt(() => {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return keys
      .filter((key) => key.startsWith(keyOf(runId, '')))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as Draft);
  }, []);
}
