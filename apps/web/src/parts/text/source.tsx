'use client';
import type { CodeLanguage } from '@verbslab/labs';
import { useMemo } from 'react';
import { highlight, type Piece } from './highlight';

const STYLE: Record<Piece['kind'], string | undefined> = {
  plain: undefined,
  comment: 'text-ink-3',
  string: 'text-ok-ink',
  keyword: 'text-accent',
};

/** A source file with line numbers, which a selection leaves out. Long lines go on in the next row. */
export function Source({ name, text, language }: { name: string; text: string; language: CodeLanguage }) {
  const lines = useMemo(() => highlight(text.trimEnd(), language), [text, language]);
  return (
    <pre
      role="region"
      aria-label={name}
      tabIndex={0}
      className="num max-h-[34rem] overflow-y-auto rounded-[4px] border bg-panel py-2 text-12 leading-5 [counter-reset:line]"
    >
      <code className="block">
        {lines.map((line, i) => (
          <span
            key={i}
            className="block pr-4 pl-14 -indent-14 break-words whitespace-pre-wrap [counter-increment:line] before:mr-4 before:inline-block before:w-10 before:indent-0 before:text-right before:text-ink-3 before:select-none before:content-[counter(line)]"
          >
            {line.map((piece, j) => (
              <span key={j} className={STYLE[piece.kind]}>
                {piece.text}
              </span>
            ))}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}
