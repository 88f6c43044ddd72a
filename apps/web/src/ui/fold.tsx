'use client';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEventHandler, type ReactNode } from 'react';
import { cn } from './cn';
import { useReveal } from './reveal';

export interface FoldProps {
  /** Id in the address. */
  id: string;
  title: string;
  /** What is inside, in one line beside the title. */
  summary?: ReactNode;
  /** True for a fold that is open at first. */
  opened?: boolean;
  /** True to draw the content only after the fold has been opened once: for charts and lists that follow a run. */
  late?: boolean;
  /** True for the ids of elements in the content, for a fold that draws it late. */
  holds?: (id: string) => boolean;
  /** True for words and numbers that are the same in every run. */
  words?: boolean;
  /** True for content as wide as the page, such as panels. */
  wide?: boolean;
  onKeyDown?: KeyboardEventHandler;
  children: ReactNode;
}

/**
 * A part of a page under a line with its title, closed at first. A link, the address, and the search of the browser open
 * it.
 */
export function Fold(props: FoldProps) {
  const { id, title, summary, opened = false, late = false, words = false, wide = false } = props;
  const { holds, onKeyDown, children } = props;
  const root = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(opened);
  const [drawn, setDrawn] = useState(!late || opened);
  const [asked, setAsked] = useState<{ id: string } | null>(null);
  useReveal((one) => {
    const inside = root.current?.querySelector(`#${CSS.escape(one)}`) ?? null;
    if (one !== id && inside === null && holds?.(one) !== true) return;
    setOpen(true);
    setDrawn(true);
    setAsked({ id: one });
  });
  useEffect(() => {
    if (asked) document.getElementById(asked.id)?.scrollIntoView();
  }, [asked]);
  return (
    // Keys of the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details
      ref={root}
      id={id}
      open={open}
      data-fold={id}
      onToggle={(e) => {
        setOpen(e.currentTarget.open);
        if (e.currentTarget.open) setDrawn(true);
      }}
      onKeyDown={onKeyDown}
      className="group/fold scroll-mt-16 border-t last:border-b"
    >
      <summary className="flex h-10 list-none items-center gap-2.5 text-13 pointer-coarse:h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-ink-3 group-open/fold:rotate-90" />
        <h2 className="shrink-0 font-medium" data-words>
          {title}
        </h2>
        <span className="min-w-0 truncate text-ink-3">{summary}</span>
      </summary>
      <div className={cn('pb-5', !wide && 'sm:pl-6')} data-words={words || undefined}>
        {drawn ? children : null}
      </div>
    </details>
  );
}
