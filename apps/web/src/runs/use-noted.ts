'use client';
import { useEffect, useState } from 'react';
import { request, useAgent } from '../connection/store';
import { wordsOf, type Noted } from '../parts/run/search';

const NONE: Noted = {};

/** The runs whose notes have the words that are searched: the list has only how many notes there are. */
export function useNoted(q: string): Noted {
  const connected = useAgent((s) => s.status === 'open');
  const [noted, setNoted] = useState<Noted>(NONE);
  const words = wordsOf(q).slice(0, 20).join(' ');
  useEffect(() => {
    if (!connected || words === '') return;
    let gone = false;
    request('notebook.find', { words: words.split(' ') }).then(
      ({ runs }) => {
        if (!gone) setNoted((old) => ({ ...old, ...runs }));
      },
      // The banner says that the connection is down; the next one asks again.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [connected, words]);
  return noted;
}
