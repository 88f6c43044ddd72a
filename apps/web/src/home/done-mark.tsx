'use client';
import { Check } from 'lucide-react';
import { useAgent } from '../connection/store';
import { isDone } from '../model/lab-map';

/** A check mark behind the title of a lab that was run. It takes no room, so that no text moves. */
export function DoneMark({ lab }: { lab: string }) {
  const done = useAgent((s) => s.progress !== null && isDone(s.progress, lab));
  return (
    <span className="-mr-5 ml-1.5 inline-block w-3.5 align-[-2px]" data-done={done ? lab : undefined}>
      {done ? <Check size={14} aria-label="done" className="text-ok-ink" /> : null}
    </span>
  );
}
