'use client';
import { lazyPart } from '../connection/lazy-part';

/** A note as it reads. The reader of Markdown comes with the first note. */
export const NoteText = lazyPart<{ text: string }>(async () => (await import('./markdown-text')).default);
