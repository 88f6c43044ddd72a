'use client';
import { MAX_NOTES, type Moment } from '@verbslab/protocol';
import { Pencil } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo, useState } from 'react';
import { toFailure } from '../connection/failure';
import type { RunView } from '../connection/run-view';
import { request, useAgent } from '../connection/store';
import type { PacketStore } from '../model/packet-store';
import type { Topic } from '../model/run-model';
import { usePageHandle } from '../actions/page-store';
import { readSelection } from '../model/selection';
import { useTopics } from '../connection/use-session';
import { Button } from '../ui/button';
import { Kbd } from '../ui/kbd';
import { FailureNote, type Failure } from '../ui/states';
import { draftsOf } from './drafts';
import { begin, fresh, NOTHING, type Editing } from './editing';
import { momentOf } from '../parts/run/moment';
import { newNoteId } from './new-id';
import { NoteEditor } from './note-editor';
import { ShownNote } from './shown-note';
import { TagEditor } from '../ui/tags';
import { useNotebook } from './use-notebook';

const NONE: readonly string[] = [];
const RECORD: readonly Topic[] = ['record'];

/** Notes that were left unsaved, as they were. */
const leftBehind = (runId: string): Editing[] =>
  draftsOf(runId).map(({ noteId, version, kept, mine }) => ({
    ...fresh(runId, noteId, mine),
    version,
    kept,
  }));

/** Moment that the page shows: the default for a new note. */
function momentIn(address: Pick<URLSearchParams, 'get'>, packets: PacketStore): Moment | null {
  const t = address.get('t');
  return t !== null && /^\d{1,15}$/.test(t) ? momentOf(Number(t), readSelection(address), packets) : null;
}

/** Notes and tags of a run; a single line if there are none. `row`: it is one of several rows of the page. */
export function NotesSection({ view, row = false }: { view: RunView; row?: boolean }) {
  useTopics(view, RECORD);
  const { record, packets } = view.model;
  const { id: runId, tags = NONE } = record;
  const { kept: known, failure } = useNotebook(runId);
  const connected = useAgent((s) => s.status === 'open');
  const [editors, setEditors] = useState(() => leftBehind(runId));
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const address = useSearchParams();

  const write = useCallback(
    (moment?: Moment | null) => {
      const content = { ...NOTHING, moment: moment ?? momentIn(address, packets) };
      setEditors((old) => [...old, fresh(runId, newNoteId(), content)]);
    },
    [runId, address, packets],
  );
  const full = (known?.notes.length ?? 0) >= MAX_NOTES;
  const handle = useMemo(() => (full ? {} : { 'write-note': write }), [write, full]);
  usePageHandle(handle);

  const tag = async (change: { add?: string[]; remove?: string[] }) => {
    setRefusal(null);
    try {
      await request('run.tag', { runId, ...change });
    } catch (e) {
      setRefusal(toFailure(e));
    }
  };
  const close = useCallback(
    (noteId: string) => setEditors((old) => old.filter((one) => one.noteId !== noteId)),
    [],
  );
  const notes = known?.notes ?? [];
  const shown = notes.filter(({ id }) => !editors.some(({ noteId }) => noteId === id));
  const items = [
    ...notes.map((note) => ({ note, editor: editors.find(({ noteId }) => noteId === note.id) })),
    ...editors
      .filter(({ noteId }) => !notes.some(({ id }) => id === noteId))
      .map((editor) => ({ note: null, editor })),
  ];
  return (
    <section
      aria-labelledby="notes"
      className={row ? 'border-t' : 'mb-6 border-y py-1'}
      data-notes={known === null ? 'loading' : shown.length}
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="notes" className={row ? 'text-13 font-medium sm:pl-6' : 'text-14 font-semibold'}>
          Notes
        </h2>
        <TagEditor
          of={`run ${record.number}`}
          tags={tags}
          known={known?.known ?? NONE}
          disabled={!connected}
          onAdd={(one) => void tag({ add: [one] })}
          onRemove={(one) => void tag({ remove: [one] })}
        />
        <span className="ml-auto inline-flex items-center gap-2 text-13 text-ink-3">
          {full ? (
            <span data-words>The run has as many notes as it can have ({MAX_NOTES}).</span>
          ) : (
            <>
              <Button kind="quiet" onClick={() => write()}>
                <Pencil size={14} aria-hidden />
                Write a note
              </Button>
              <Kbd keys="w" />
            </>
          )}
        </span>
      </div>
      {refusal ? <FailureNote failure={refusal} className="mb-2" /> : null}
      {failure && !known ? <FailureNote failure={failure} className="mb-2" /> : null}
      {items.length > 0 ? (
        <ul className="space-y-5 pt-1 pb-3">
          {items.map(({ note, editor }) => (
            <li key={editor?.noteId ?? note!.id}>
              {editor ? (
                <NoteEditor
                  from={editor}
                  note={note}
                  loaded={known !== null}
                  known={known?.known ?? NONE}
                  onClose={() => close(editor.noteId)}
                />
              ) : (
                <ShownNote note={note!} onEdit={() => setEditors((old) => [...old, begin(note!)])} />
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
