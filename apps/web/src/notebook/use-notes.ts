'use client';
import type { AgentMessageOf } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { hear, request } from '../connection/store';
import { useKept } from '../connection/use-kept';
import type { NotebookQuery } from './notebook-query';
import { readAgain } from './read-again';

export type ListedNote = AgentMessageOf<'notes'>['notes'][number];

const PAGE = 50;

/** Notes that match a query, newest first. They are read again after each change, wherever it was made. */
export function useNotes({ q, tag }: NotebookQuery) {
  const query = { ...(q.trim() === '' ? {} : { query: q }), ...(tag === '' ? {} : { tag }) };
  const key = JSON.stringify(query);
  const [changes, setChanges] = useState(0);
  /** Number of notes that the reader wants to see, for the query `key`. */
  const [wanted, setWanted] = useState({ key, notes: PAGE });
  const notes = wanted.key === key ? wanted.notes : PAGE;
  useEffect(
    () =>
      hear(({ type }) => {
        if (type === 'notebook.changed' || type === 'run.removed') setChanges((n) => n + 1);
      }),
    [],
  );
  const { kept: listed, failure } = useKept(`${key} ${notes} ${changes}`, () =>
    readAgain(
      (limit, before) =>
        request('notebook.list', { limit, ...query, ...(before === undefined ? {} : { before }) }),
      ({ note }: ListedNote) => note.id,
      notes,
    ),
  );
  return { listed, failure, older: () => setWanted({ key, notes: notes + PAGE }) };
}
