'use client';
import { useId, useRef, useState, type ReactNode } from 'react';
import { TERMS, type TermId } from './terms';

/** A term of the field, explained on hover, focus or tap. */
export function Term({ id, children }: { id: TermId; children?: ReactNode }) {
  return <Explained meaning={TERMS[id].meaning}>{children ?? TERMS[id].term}</Explained>;
}

/** Words that explain themselves on hover, focus or tap. */
export function Explained({
  meaning,
  className = 'cursor-help underline decoration-line-strong decoration-dotted underline-offset-4',
  children,
}: {
  meaning: string;
  className?: string;
  children: ReactNode;
}) {
  const popId = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const pop = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);

  function show() {
    const a = anchor.current;
    const p = pop.current;
    if (!a || !p || p.matches(':popover-open')) return;
    p.showPopover();
    const box = a.getBoundingClientRect();
    const size = p.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, innerWidth - size.width - 8));
    const below = box.bottom + 6;
    const top = below + size.height > innerHeight ? box.top - size.height - 6 : below;
    p.style.left = `${left}px`;
    p.style.top = `${top}px`;
    setOpen(true);
  }
  function hide() {
    if (pop.current?.matches(':popover-open')) pop.current.hidePopover();
    setOpen(false);
  }
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-expanded={open}
        aria-describedby={popId}
        onPointerEnter={(e) => e.pointerType === 'mouse' && show()}
        onPointerLeave={(e) => e.pointerType === 'mouse' && hide()}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && open) {
            e.stopPropagation();
            hide();
          }
        }}
        className={className}
      >
        {children}
      </button>
      <span
        ref={pop}
        id={popId}
        role="tooltip"
        popover="manual"
        className="fixed m-0 max-w-[40ch] rounded-[4px] border border-line-strong bg-panel px-3 py-2 text-left font-sans text-13 font-normal whitespace-normal text-ink shadow-md"
      >
        {meaning}
      </span>
    </>
  );
}
