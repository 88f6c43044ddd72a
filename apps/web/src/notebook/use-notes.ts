'use client';
import type { AgentMessageOf } from '@verbslab/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toFailure } from '../connection/failure';
import { hear, request, useAgent } from '../connection/store';
import type { Failure } from '../ui/states';
import type { NotebookQuery } from './notebook-query';
import { readAgain } from './read-again';

export type ListedNote = AgentMessageOf<'notes'>['notes'][number];
type Listed = Pick<AgentMessageOf<'notes'>, 'notes' | 'more' | 'total' | 'known'>;

const PAGE = 50;

const ask = ({ q, tag }: NotebookQuery, limit: number, before?: string) =>
  request('notebook.list', {
    limit,
    ...(q.trim() === '' ? {} : { query: q }),
    ...(tag === '' ? {} : { tag }),
    ...(before === undefined ? {} : { before }),
  });

/** The notes that fit a query, newest first; read again after each change, wherever it was made. */
export function useNotes({ q, tag }: NotebookQuery): {
  listed: Listed | null;
  failure: Failure | null;
  older: () => Promise<void>;
} {
  const connected = useAgent((s) => s.status === 'open');
  const [listed, setListed] = useState<Listed | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [changes, setChanges] = useState(0);
  /** Notes that the reader has on the page now, of this query. */
  const shown = useRef(0);

  useEffect(
    () =>
      hear(({ type }) => {
        if (type === 'notebook.changed' || type === 'run.removed') setChanges((n) => n + 1);
      }),
    [],
  );
  useEffect(() => {
    shown.current = 0;
  }, [q, tag]);
  useEffect(() => {
    if (!connected) return;
    let gone = false;
    readAgain(
      (limit, before) => ask({ q, tag }, limit, before),
      ({ note }: ListedNote) => note.id,
      shown.current,
      PAGE,
    ).then(
      (reply) => {
        if (gone) return;
        shown.current = reply.notes.length;
        setListed(reply);
        setFailure(null);
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
    };
  }, [connected, q, tag, changes]);

  const last = listed?.notes.at(-1)?.note.id;
  const older = useCallback(async () => {
    if (last === undefined) return;
    try {
      const reply = await ask({ q, tag }, PAGE, last);
      setListed((old) => {
        if (!old) return old;
        const notes = [...old.notes, ...reply.notes];
        shown.current = notes.length;
        return { ...reply, notes };
      });
    } catch (e) {
      setFailure(toFailure(e));
    }
  }, [q, tag, last]);
  return { listed, failure, older };
}
