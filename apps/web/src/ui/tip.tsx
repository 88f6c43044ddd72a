'use client';
import type { ReactNode, Ref } from 'react';

/** Shows a tooltip beside an element, inside the window. */
export function showTip(anchor: HTMLElement | null, tip: HTMLElement | null): void {
  if (!anchor || !tip || tip.matches(':popover-open')) return;
  tip.showPopover();
  const box = anchor.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - size.width - 8));
  const below = box.bottom + 6;
  const top = below + size.height > innerHeight ? box.top - size.height - 6 : below;
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}

export function hideTip(tip: HTMLElement | null): void {
  if (tip?.matches(':popover-open')) tip.hidePopover();
}

/**
 * Tooltip. It ignores the pointer: if it appears between press and release, it would take a click on the link below it.
 */
export function Tip({ ref, id, children }: { ref: Ref<HTMLSpanElement>; id: string; children: ReactNode }) {
  return (
    <span
      ref={ref}
      id={id}
      role="tooltip"
      popover="manual"
      className="pointer-events-none fixed m-0 max-w-[40ch] rounded-[4px] border border-line-strong bg-panel px-3 py-2 text-left font-sans text-13 font-normal wrap-anywhere whitespace-normal text-ink shadow-md"
    >
      {children}
    </span>
  );
}
