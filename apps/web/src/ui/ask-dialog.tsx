'use client';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';

/** Asks before something is done that cannot be undone, or that a reader may not want yet. */
export function AskDialog(props: {
  open: boolean;
  title: string;
  children: ReactNode;
  keep: string;
  go: string;
  danger?: boolean;
  onKeep: () => void;
  onGo: () => void;
}) {
  const { open, title, children, keep, go, danger = false, onKeep, onGo } = props;
  return (
    <Dialog open={open} onClose={onKeep} label={title} className="mt-[12vh] w-[min(26rem,calc(100vw-2rem))]">
      <div className="p-5">
        <h2 className="text-16 font-semibold">{title}</h2>
        <p className="mt-1 text-ink-2">{children}</p>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button onClick={onKeep}>{keep}</Button>
          <Button kind={danger ? 'danger' : 'primary'} onClick={onGo}>
            {go}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
