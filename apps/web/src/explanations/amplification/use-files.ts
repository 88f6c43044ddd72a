'use client';
import { useEffect, useState } from 'react';
import { toFailure } from '../../connection/failure';
import type { Failure } from '../../ui/states';
import type { LadderFile } from './ladder-file';

const FILES = {
  once: () => import('./samples/once.json'),
  twice: () => import('./samples/twice.json'),
};

type Name = keyof typeof FILES;
type Loaded = Readonly<Record<Name, LadderFile | null>>;

/** Files of the recorded ladders: those with one loss first, then those with two. */
export function useFiles(): { files: Loaded; failure: Failure | null } {
  const [files, setFiles] = useState<Loaded>({ once: null, twice: null });
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    let gone = false;
    const load = async (name: Name): Promise<void> => {
      const file = (await FILES[name]()).default as unknown as LadderFile;
      if (!gone) setFiles((now) => ({ ...now, [name]: file }));
    };
    load('once')
      .then(() => load('twice'))
      .catch((e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      });
    return () => {
      gone = true;
    };
  }, []);
  return { files, failure };
}
