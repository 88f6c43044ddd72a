'use client';
import { latePart } from '../connection/late-part';

/** A note as it reads. The reader of Markdown comes with the first note. */
export const NoteText = latePart<{ text: string }>(async () => (await import('./markdown-text')).default);
