'use client';
import { readNote } from '@verbslab/labs/markdown';
import { useMemo } from 'react';
import { Blocks } from '../parts/text/blocks';

/** A note as it reads. Raw HTML in it is text, and a picture is a link. */
export default function MarkdownText({ text }: { text: string }) {
  const blocks = useMemo(() => readNote(text), [text]);
  return (
    <div className="wrap-anywhere whitespace-pre-line" data-words>
      <Blocks list={blocks} />
    </div>
  );
}
