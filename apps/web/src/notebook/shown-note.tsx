'use client';
import type { RunNote } from '@verbslab/protocol';
import { Pencil } from 'lucide-react';
import { when } from '../format/number';
import { IconButton } from '../ui/button';
import { MomentLink } from '../parts/run/moment';
import { NoteText } from './note-text';
import { notebookHref } from './notebook-query';
import { TagLink } from '../ui/tags';

/** A note as it reads, with its moment and tags. */
export function ShownNote({ note, onEdit }: { note: RunNote; onEdit?: () => void }) {
  const { text, tags, moment, changedAt, runId } = note;
  return (
    <article className="border-l-2 border-line-strong pl-4" data-note={note.id}>
      <p className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-3">
        <span className="num" data-words>
          {when(changedAt)}
        </span>
        {moment ? (
          <span data-words>
            <MomentLink runId={runId} moment={moment} />
          </span>
        ) : null}
        {tags.map((tag) => (
          <TagLink key={tag} tag={tag} href={notebookHref({ q: '', tag })} />
        ))}
        {onEdit ? (
          <IconButton label="Edit the note" onClick={onEdit}>
            <Pencil size={14} aria-hidden />
          </IconButton>
        ) : null}
      </p>
      <NoteText text={text} />
    </article>
  );
}
