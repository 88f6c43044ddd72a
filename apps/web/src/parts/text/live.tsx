'use client';
import { liveText, type LiveValue, type ReadRun as ToldRun } from '@verbslab/labs';
import type { LabDescription, RunRecord } from '@verbslab/protocol';
import { createContext, use, type ReactNode } from 'react';
import { Explained } from '../../ui/explained';
import { reveal } from '../../ui/reveal';

/** The run that a lab's text is about. */
export interface ReadRun extends ToldRun {
  record: RunRecord;
}

/** The lab whose text this is, and the run, once there is one. */
export const Reading = createContext<{ lab: LabDescription; run: ReadRun | null } | null>(null);

function useReading() {
  const reading = use(Reading);
  if (!reading) throw new Error('This is part of a lab’s text.');
  return reading;
}

/** Text of a check and the finding of the run. */
function checkMeaning(lab: LabDescription, run: ReadRun, id: string): string {
  const check = run.record.result?.checks.find((one) => one.id === id);
  const what = lab.checks.find((one) => one.id === id)?.text;
  return [what, check?.detail].filter(Boolean).join(' ');
}

/** A value of the run in a sentence; a gap while there is no run. */
export function LiveText({ value }: { value: LiveValue }) {
  const { of, name } = value;
  const { lab, run } = useReading();
  if (!run)
    return (
      <span className="text-ink-3" title="Run the lab to see this value.">
        <span aria-hidden>[…]</span>
        <span className="sr-only">a value of your run</span>
      </span>
    );
  const sentences = of === 'finding' || of === 'outcome';
  const shown = (
    <span
      className={`${sentences ? 'box-decoration-clone' : 'num'} rounded-[2px] bg-field px-1 text-ink`}
      data-shows={`live-${of}`}
      data-result={name}
    >
      {liveText(value, lab, run)}
    </span>
  );
  return of === 'check' ? <Explained meaning={checkMeaning(lab, run, name)}>{shown}</Explained> : shown;
}

/** Link to a panel of the page; plain text while there is no run. */
export function PanelLink(props: { view: string; className: string; children: ReactNode }) {
  const { view, className, children } = props;
  const { run } = useReading();
  if (!run) return children;
  return (
    <a href={`#panel-${view}`} className={className} onClick={() => reveal(`panel-${view}`)}>
      {children}
    </a>
  );
}
