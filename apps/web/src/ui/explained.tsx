'use client';
import { useId, useRef, useState, type ReactNode } from 'react';
import { hideTip, showTip, Tip } from './tip';

/** Words that explain themselves on hover, focus or tap. */
export function Explained({
  meaning,
  className = 'cursor-help underline decoration-line-strong decoration-dotted underline-offset-4',
  tabIndex,
  children,
}: {
  meaning: string;
  className?: string;
  tabIndex?: number | undefined;
  children: ReactNode;
}) {
  const popId = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const pop = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);

  function show() {
    showTip(anchor.current, pop.current);
    setOpen(true);
  }
  function hide() {
    hideTip(pop.current);
    setOpen(false);
  }
  return (
    <>
      <button
        ref={anchor}
        type="button"
        tabIndex={tabIndex}
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
      <Tip ref={pop} id={popId}>
        {meaning}
      </Tip>
    </>
  );
}
