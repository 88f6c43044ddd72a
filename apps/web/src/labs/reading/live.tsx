'use client';
import { quantityText, resultViews, type LiveValue } from '@verbslab/labs';
import type { LabDescription, LabResults, RunRecord, WatchView } from '@verbslab/protocol';
import { createContext, use, type ReactNode } from 'react';
import { runHref } from '../../runs/figures';
import { Explained } from '../../ui/explained';
import { PageLink } from '../../ui/page-link';
import { choiceText, fieldsOf } from '../form-model';

/** The run that a lab's text is about. */
export interface ReadRun {
  record: RunRecord;
  results: LabResults;
}

/** The lab whose text this is, and the run, once there is one. */
export const Reading = createContext<{ lab: LabDescription; run: ReadRun | null } | null>(null);

function useReading() {
  const reading = use(Reading);
  if (!reading) throw new Error('This is part of a lab’s text.');
  return reading;
}

interface CheckShown {
  outcome: string;
  /** What was checked, and what the run found. */
  meaning: string;
}

function checkShown(lab: LabDescription, run: ReadRun, id: string): CheckShown {
  const check = run.record.result?.checks.find((one) => one.id === id);
  const outcome =
    !check || check.applies === false ? 'not checked' : check.ok ? 'check passed' : 'check failed';
  const what = lab.checks.find((one) => one.id === id)?.text;
  return { outcome, meaning: [what, check?.detail].filter(Boolean).join(' ') };
}

/** What a check found, as it says itself. */
const findingText = (run: ReadRun, id: string): string =>
  run.record.result?.checks.find((one) => one.id === id)?.detail ?? 'not checked';

/** What a prediction was compared with, in the words of its options. */
const outcomeText = (lab: LabDescription, run: ReadRun, id: string): string =>
  resultViews(run.results, lab).predictions.find((one) => one.id === id)?.measured ?? 'not measured';

function paramText(lab: LabDescription, run: ReadRun, name: string): string {
  const value = run.record.parameters[name];
  const field = fieldsOf(lab.params).find((one) => one.name === name);
  if (typeof value === 'number')
    return quantityText(value, field?.unit === undefined ? {} : { unit: field.unit });
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? choiceText(value, field) : JSON.stringify(value);
}

/** A value of the run in the middle of a sentence; a gap while there is no run. */
export function LiveText({ value: { of, name } }: { value: LiveValue }) {
  const { lab, run } = useReading();
  if (!run)
    return (
      <span className="text-ink-3" title="Run the lab to see this value.">
        <span aria-hidden>[…]</span>
        <span className="sr-only">a value of your run</span>
      </span>
    );
  const shown = (text: string) => (
    <span className="num rounded-[2px] bg-field px-1 text-ink" data-shows={`live-${of}`} data-result={name}>
      {text}
    </span>
  );
  if (of === 'check') {
    const { outcome, meaning } = checkShown(lab, run, name);
    return <Explained meaning={meaning}>{shown(outcome)}</Explained>;
  }
  if (of === 'finding' || of === 'outcome')
    return (
      <span
        className="rounded-[2px] bg-field box-decoration-clone px-1 text-ink"
        data-shows={`live-${of}`}
        data-result={name}
      >
        {of === 'finding' ? findingText(run, name) : outcomeText(lab, run, name)}
      </span>
    );
  const spec = lab.results?.figures?.find((one) => one.name === name);
  return shown(
    of === 'figure' ? quantityText(run.results.figures[name]?.value, spec ?? {}) : paramText(lab, run, name),
  );
}

/** Panels whose name differs from what labs watch. */
const PANEL_OF: Partial<Record<WatchView, string>> = { throughput: 'goodput', misuse: 'problems' };

/** Leads to a panel of the run's page; words alone while there is no run. */
export function PanelLink(props: { view: WatchView; className: string; children: ReactNode }) {
  const { view, className, children } = props;
  const { run } = useReading();
  if (!run) return children;
  return (
    <PageLink href={`${runHref(run.record.id)}#panel-${PANEL_OF[view] ?? view}`} className={className}>
      {children}
    </PageLink>
  );
}
