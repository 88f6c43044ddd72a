'use client';
import { useEffect } from 'react';
import { LanguageClient } from './client';

/** A worker takes a second or two of a core to load TypeScript and the types, so the next task finds it ready. */
const KEPT_MS = 60_000;

const language = new LanguageClient();
let users = 0;
let end: ReturnType<typeof setTimeout> | undefined;

/** The language service that all parts of a page share. It ends a minute after its last user. */
export function useLanguage(): LanguageClient {
  useEffect(() => {
    users++;
    clearTimeout(end);
    return () => {
      users--;
      if (users === 0) end = setTimeout(() => language.close(), KEPT_MS);
    };
  }, []);
  return language;
}
