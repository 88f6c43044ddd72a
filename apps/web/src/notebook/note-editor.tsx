'use client';
import { useTold } from '../ui/use-told';
import { MAX_NOTE_TEXT, type Moment, type RunNote } from '@verbslab/protocol';
import { useEffect, useId, useRef, useState } from 'react';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import { count } from '../format/number';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { FailureNote, type Failure } from '../ui/states';
import { Conflict } from './conflict';
import { dropDraft } from './drafts';
import { asNew, isDirty, saveState, typed, type Editing, type SaveState } from './editing';
import { momentText, parseMoment } from '../parts/run/moment';
import { newNoteId } from './new-id';
import { NoteText } from './note-text';
import { TagEditor } from '../ui/tags';
import { useEditing } from './use-editing';

const SAYS: Record<SaveState, string> = {
  empty: 'Saved as you type.',
  saved: 'Saved.',
  saving: 'Saving…',
  unsaved: 'Not yet saved.',
  waiting:
    'Not saved: the agent does not answer. Your text is kept in this browser and saved as soon as the agent is back.',
  conflict: 'Not saved: the note was changed elsewhere.',
  gone: 'Not saved: the note was deleted elsewhere.',
  failed: 'Not saved.',
};

/** Length at which a warning appears, before the limit is reached. */
const NEARLY = MAX_NOTE_TEXT * 0.9;

interface NoteEditorProps {
  from: Editing;
  /** The note at the agent; null if it has none. */
  note: RunNote | null;
  /** True once the agent has sent its notes. */
  loaded: boolean;
  known: readonly string[];
  onClose: () => void;
}

/** Editor of a note: text, preview, tags and moment. Saves automatically. */
export function NoteEditor({ from, note, loaded, known, onClose }: NoteEditorProps) {
  const { editing, setEditing, connected, flush } = useEditing(from, note, loaded);
  const [preview, setPreview] = useState(false);
  const [asked, setAsked] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const { mine, runId, noteId, version, theirs } = editing;
  const state = saveState(editing, connected);
  const help = useId();

  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  // The editor closes only after the agent has saved the text: until then, this is the only copy.
  const [closing, setClosing] = useState(false);
  const close = () => {
    flush();
    setClosing(true);
  };
  const through = closing && (state === 'saved' || state === 'empty');
  useEffect(() => {
    if (through) onClose();
  }, [through, onClose]);
  const remove = async () => {
    setAsked(false);
    dropDraft(runId, noteId);
    if (version > 0) {
      try {
        await request('note.delete', { runId, noteId, version });
      } catch (e) {
        setFailure(toFailure(e));
        return;
      }
    }
    onClose();
  };
  const open = state === 'conflict' || state === 'gone' || state === 'failed';
  return (
    <div
      role="group"
      aria-label={version === 0 ? 'New note' : 'Edit the note'}
      className="border-l-2 border-accent py-1 pl-4"
      data-note={noteId}
    >
      {preview ? (
        <div className="min-h-40 border-y py-3">
          {mine.text.trim() === '' ? (
            <p className="text-ink-3">Nothing to preview yet.</p>
          ) : (
            <NoteText text={mine.text} />
          )}
        </div>
      ) : (
        <textarea
          ref={box}
          aria-label="Text of the note"
          aria-describedby={help}
          value={mine.text}
          rows={Math.min(24, Math.max(6, mine.text.split('\n').length + 1))}
          maxLength={MAX_NOTE_TEXT}
          placeholder="What did you see? Markdown works: **bold**, `code`, lists, tables."
          onChange={(e) => {
            setClosing(false);
            setEditing((old) => typed(old, { text: e.target.value }));
          }}
          onBlur={flush}
          onKeyDown={(e) => {
            if (e.key === 'Escape' || (e.key === 'Enter' && (e.ctrlKey || e.metaKey))) {
              e.preventDefault();
              e.stopPropagation();
              if (!open) close();
            }
          }}
          className="num block w-full max-w-[88ch] rounded-[4px] border border-line-strong bg-panel px-3 py-2 text-13"
        />
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <TagEditor
          of="this note"
          tags={mine.tags}
          known={known}
          onAdd={(tag) => setEditing((old) => typed(old, { tags: [...new Set([...old.mine.tags, tag])] }))}
          onRemove={(tag) =>
            setEditing((old) => typed(old, { tags: old.mine.tags.filter((one) => one !== tag) }))
          }
        />
        <MomentBox moment={mine.moment} onMoment={(moment) => setEditing((old) => typed(old, { moment }))} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button kind="primary" onClick={close} disabled={open}>
          Done
        </Button>
        <Button aria-pressed={preview} onClick={() => setPreview(!preview)}>
          {preview ? 'Edit text' : 'Preview'}
        </Button>
        <Button kind="danger" onClick={() => (version > 0 || isDirty(editing) ? setAsked(true) : onClose())}>
          Delete
        </Button>
        <span id={help} role="status" data-save={state} className="text-13 text-ink-2">
          {SAYS[state]}
        </span>
        {mine.text.length > NEARLY ? (
          <span className="num text-12 text-ink-3" data-words>
            {count(mine.text.length)} of {count(MAX_NOTE_TEXT)} characters
          </span>
        ) : null}
      </div>
      {theirs ? <Conflict editing={editing} theirs={theirs} onDecide={setEditing} /> : null}
      {state === 'gone' ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button onClick={() => setEditing((old) => asNew(old, newNoteId()))}>Save as a new note</Button>
          <Button
            kind="danger"
            onClick={() => {
              dropDraft(runId, noteId);
              onClose();
            }}
          >
            Discard my text
          </Button>
        </div>
      ) : null}
      {(failure ?? editing.failure) ? (
        <FailureNote
          failure={(failure ?? editing.failure)!}
          className="mt-3"
          action={
            editing.failure ? (
              <Button onClick={() => setEditing((old) => typed(old, {}))}>Try again</Button>
            ) : null
          }
        />
      ) : null}
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        label="Delete the note?"
        className="w-[min(28rem,calc(100vw-2rem))]"
      >
        <div className="p-5">
          <h2 className="text-16 font-semibold">Delete the note?</h2>
          <p className="mt-2 text-ink-2">Its text is permanently deleted.</p>
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setAsked(false)}>Keep it</Button>
            <Button kind="danger" onClick={() => void remove()}>
              Delete
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}

/** Field for the moment of the run that the note is about. */
function MomentBox(props: { moment: Moment | null; onMoment: (moment: Moment | null) => void }) {
  const { moment, onMoment } = props;
  const [text, setText] = useState(moment === null ? '' : `${moment.t / 1e9} s`);
  const t = text.trim() === '' ? null : parseMoment(text);
  const wrong = text.trim() !== '' && t === null;
  const told = useTold(
    'The run time that the note is about, for example 1.5 s or 200 ms. Leave it empty for the whole run.',
  );
  return (
    <label className="inline-flex flex-wrap items-center gap-2 text-13">
      <span className="text-ink-3">Moment</span>
      <input
        value={text}
        placeholder="whole run"
        {...told.props}
        aria-invalid={wrong}
        onChange={(e) => {
          setText(e.target.value);
          const typedTime = e.target.value.trim() === '' ? null : parseMoment(e.target.value);
          if (e.target.value.trim() === '') onMoment(null);
          // Another time is another moment, so the selection of the old one is dropped.
          else if (typedTime !== null) onMoment({ t: typedTime });
        }}
        className="num h-8 w-28 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      />
      {told.tip}
      {wrong ? (
        <span role="alert" className="text-12 text-error-ink" data-words>
          Enter a run time, for example 1.5 s or 200 ms.
        </span>
      ) : moment?.selection ? (
        <span className="text-12 text-ink-3" data-words>
          {momentText(moment)}
        </span>
      ) : null}
    </label>
  );
}
