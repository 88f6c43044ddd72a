'use client';
import type { RunRecord } from '@verbslab/protocol';
import Link from 'next/link';
import type { RefObject } from 'react';
import { cn } from '../ui/cn';
import { hideTip, showTip, Tip } from '../ui/tip';
import { runHref } from './figures';

/**
 * The name of a run. It leads to the run from anywhere in the row or item around it, which is `relative` and a `group`:
 * a link all over, so that every way to follow a link works.
 */
export function RunLink(props: {
  run: RunRecord;
  className?: string;
  onFocus?: () => void;
  onBlur?: () => void;
}) {
  const { run, className, ...focus } = props;
  return (
    <Link
      href={runHref(run.id)}
      prefetch={false}
      data-open
      className={cn(
        'scroll-mt-32 scroll-mb-24 font-medium group-hover:text-accent focus-visible:outline-none',
        'after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
        className,
      )}
      {...focus}
    >
      {run.title}
    </Link>
  );
}

/** Shows the whole of a text that is cut off. */
export function showWhole(text: HTMLElement | null, tip: HTMLElement | null): void {
  if (text && text.scrollWidth > text.clientWidth) showTip(text, tip);
}

/** The parameters of a run in one line, and all of them beside the pointer. They lie above the link of the row, so they lead to the run too. */
export function Parameters(props: {
  run: RunRecord;
  text: string;
  lineRef: RefObject<HTMLAnchorElement | null>;
  tipRef: RefObject<HTMLSpanElement | null>;
}) {
  const { run, text, lineRef, tipRef } = props;
  if (text === '') return null;
  return (
    <>
      <Link
        ref={lineRef}
        href={runHref(run.id)}
        prefetch={false}
        tabIndex={-1}
        onPointerEnter={(e) => e.pointerType === 'mouse' && showWhole(lineRef.current, tipRef.current)}
        onPointerLeave={() => hideTip(tipRef.current)}
        className="relative z-1 block truncate text-13 text-ink-2"
      >
        {text}
      </Link>
      <Tip ref={tipRef} id={`parameters-${run.id}`}>
        {text}
      </Tip>
    </>
  );
}
