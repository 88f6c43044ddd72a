'use client';
import type { RunRow } from '@verbslab/protocol';
import Link from 'next/link';
import type { PointerEvent, Ref } from 'react';
import { runHref } from '../addresses';
import { cn } from '../ui/cn';
import { showTip } from '../ui/tip';

/**
 * The name of a run. It leads to the run from anywhere in the row or item around it, which is `relative` and a `group`:
 * a link all over, so that every way to follow a link works.
 */
export function RunLink(props: {
  run: RunRow;
  ref?: Ref<HTMLAnchorElement>;
  className?: string;
  onFocus?: () => void;
  onBlur?: () => void;
  onPointerMove?: (e: PointerEvent) => void;
  onPointerLeave?: () => void;
}) {
  const { run, ref, className, ...handlers } = props;
  return (
    <Link
      ref={ref}
      href={runHref(run.id)}
      prefetch={false}
      data-open
      data-shows="run-title"
      className={cn(
        'scroll-mt-32 scroll-mb-24 font-medium group-hover:text-accent focus-visible:outline-none',
        'after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
        className,
      )}
      {...handlers}
    >
      {run.title}
    </Link>
  );
}

/** Shows the whole of a text that is cut off. */
export function showWhole(text: HTMLElement | null, tip: HTMLElement | null): void {
  if (text && text.scrollWidth > text.clientWidth) showTip(text, tip);
}

/** Whether the pointer of a mouse is over an element, whatever lies above it. */
export function isOver(
  { pointerType, clientX, clientY }: PointerEvent,
  element: HTMLElement | null,
): boolean {
  const box = element?.getBoundingClientRect();
  if (!box || pointerType !== 'mouse') return false;
  return clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
}
