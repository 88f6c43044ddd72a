'use client';
import type { RunRow } from '@verbslab/protocol';
import Link from 'next/link';
import type { PointerEvent, Ref } from 'react';
import { runHref } from '../addresses';
import { cn } from '../ui/cn';
import { showTip } from '../ui/tip';

/**
 * Name of a run, as a link that covers the whole row or item around it, so that every way to follow a link works. The
 * row has to be `relative` and a `group`.
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

/** Shows a tooltip with the whole text if it is cut off. */
export function showWhole(text: HTMLElement | null, tip: HTMLElement | null): void {
  if (text && text.scrollWidth > text.clientWidth) showTip(text, tip);
}

/** True if the mouse pointer is over an element, even if something lies above it. */
export function isOver(
  { pointerType, clientX, clientY }: PointerEvent,
  element: HTMLElement | null,
): boolean {
  const box = element?.getBoundingClientRect();
  if (!box || pointerType !== 'mouse') return false;
  return clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
}
