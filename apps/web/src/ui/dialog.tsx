'use client';
import { useEffect, useRef, type ReactNode } from 'react';
import { cn } from './cn';

/**
 * The platform's own modal dialog: focus trap, Esc and inert background come with it, and it needs no injected
 * style (the page's content security policy allows none).
 */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  label: string;
  className?: string;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    if (props.open && !el.open) el.showModal();
    if (!props.open && el.open) el.close();
  }, [props.open]);
  return (
    // A click on the backdrop has the dialog itself as target; Esc reaches onClose through the close event.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      aria-label={props.label}
      onClose={props.onClose}
      onClick={(e) => e.target === ref.current && props.onClose()}
      className={cn('rounded-[6px] border border-line-strong bg-panel p-0 shadow-lg', props.className)}
    >
      {props.open ? props.children : null}
    </dialog>
  );
}
