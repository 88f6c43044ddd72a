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
  const { open, onClose } = props;
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    if (open && !el.open) el.showModal();
    if (!open && el.open) el.close();
  }, [open]);
  // The close event comes some time after the dialog is gone. Until then the page would take no keys, and a key that opens
  // the dialog again would be lost. React does not listen to this event of a dialog that it hydrates.
  useEffect(() => {
    const el = ref.current;
    if (!el || !open) return;
    const closing = (event: ToggleEvent) => {
      if (event.target === el && event.newState === 'closed') onClose();
    };
    el.addEventListener('beforetoggle', closing);
    return () => el.removeEventListener('beforetoggle', closing);
  }, [open, onClose]);
  return (
    // A click on the backdrop has the dialog itself as target; Esc reaches onClose through the events.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      aria-label={props.label}
      onClose={() => {
        if (open && !ref.current?.open) onClose();
      }}
      onClick={(e) => e.target === ref.current && onClose()}
      className={cn('rounded-[6px] border border-line-strong bg-panel p-0 shadow-lg', props.className)}
    >
      {open ? props.children : null}
    </dialog>
  );
}
