'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { ArrowRight, Check, ChevronLeft, ChevronRight, Ellipsis, Flag, X } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunSession } from '../connection/run-sessions';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Skeleton } from '../ui/states';
import { Ending } from './ending';
import type { StepMachineProps } from './machine/step-machine';
import { NextStep } from './next-step';
import ChecksPanel from './panels/checks';
import { stepLog, type StepLog } from '../model/step-log';
import type { Topic } from '../model/run-model';
import { ProgramInC } from './program-in-c';
import { usePageHandle } from '../actions/page-store';
import { StepDetail } from './step-detail';
import { useTopics } from '../connection/use-session';

const TOPICS: readonly Topic[] = ['trace', 'record', 'packets'];

const StepMachine = lazyPart<StepMachineProps>(
  async () => (await import('./machine/step-machine')).default,
  () => <Skeleton className="h-96" />,
);

/** Page of a lab in steps: the steps on the left, and the details of the chosen one on the right. */
export function StepBody({ session, lab }: { session: RunSession; lab: LabDescription }) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const router = useRouter();
  const top = useRef<HTMLDivElement>(null);
  const query = useSearchParams();
  const steps = stepLog(view.model, lab);
  const latest = steps.findLast((s) => !Number.isNaN(s.begin)) ?? steps[0]!;
  const { record } = view.model;
  const { ending } = lab;
  const over = record.state === 'done' && ending !== undefined;
  // The page shows the latest step until the end in single-step mode. A run that ended on its own, or before its page
  // was opened, starts with its summary.
  const [foundEnded] = useState(() => isFinal(record.state));
  const stepping = record.mode === 'step' && !foundEnded;
  const failed = steps.find((s) => s.state === 'failed');
  const asked = query.get('step');
  const summarized = over && (asked === SUMMARY || (asked === null && !stepping));
  const followed = record.mode === 'step' ? latest : (failed ?? steps[0]!);
  const chosen = summarized ? null : (steps.find((s) => s.id === asked) ?? followed);
  const shown = chosen ?? lastComplete(lab, steps);

  // A string, which stays equal while the steps do.
  const ids = [...(over ? [SUMMARY] : []), ...steps.map((s) => s.id)].join(' ');
  const at = chosen?.id ?? SUMMARY;
  const { select, follow, handle } = useMemo(() => {
    const list = ids.split(' ');
    const go = (id: string | null) => {
      const next = new URLSearchParams(location.search);
      next.delete('packet');
      if (id === null) next.delete('step');
      else next.set('step', id);
      router.replace(`${location.pathname}?${next}`, { scroll: false });
      top.current?.scrollIntoView({ block: 'nearest' });
    };
    const move = (by: 1 | -1) => {
      const i = list.indexOf(at);
      const id = list[Math.min(list.length - 1, Math.max(0, i + by))];
      if (id) go(id);
    };
    return {
      select: go,
      follow: () => go(null),
      handle: { 'next-item': () => move(1), 'previous-item': () => move(-1) },
    };
  }, [ids, at, router]);
  usePageHandle(handle);

  const done = steps.findLast((s) => s.state === 'done');
  return (
    <>
      <div ref={top} className="mb-5 scroll-mt-14 border-b pb-4">
        <div data-panel="machine" className="min-h-64">
          <StepMachine key={shown.id} view={view} lab={lab} steps={steps} step={shown} />
        </div>
      </div>
      <p role="status" className="sr-only">
        {done ? `Step ${done.index + 1} of ${steps.length} is done: ${done.title}` : ''}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 md:grid-cols-[15rem_minmax(0,1fr)] md:grid-rows-[auto_1fr] lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="max-sm:hidden">
          <h2 className="mb-1 text-13 font-semibold">Steps</h2>
          {over ? <SummaryItem chosen={summarized} onSelect={() => select(SUMMARY)} /> : null}
          <ol>
            {steps.map((s) => (
              <StepItem key={s.id} step={s} chosen={s === chosen} onSelect={() => select(s.id)} />
            ))}
          </ol>
        </div>
        <StepPicker steps={steps} ids={ids.split(' ')} chosen={at} onSelect={select} />
        <div className="min-h-dvh min-w-0 md:col-start-2 md:min-h-0 md:row-span-2 md:row-start-1">
          {chosen ? <StepDetail view={view} lab={lab} step={chosen} /> : null}
          {over && (chosen === null || chosen.index === steps.length - 1) ? (
            <Ending ending={ending} alone={chosen === null}>
              <ProgramInC view={view} lab={lab} steps={steps} />
            </Ending>
          ) : null}
        </div>
        <div>
          <h2 className="mb-1 text-13 font-semibold">Checks</h2>
          <div className="-mx-3" data-panel="checks">
            <ChecksPanel view={view} session={session} lab={lab} table={false} />
          </div>
        </div>
      </div>
      <NextStep session={session} steps={steps} chosen={chosen} onSelect={select} onFollow={follow} />
    </>
  );
}

/** Value in the address in place of a step. */
const SUMMARY = 'summary';

/** The last step that destroys nothing, for the picture of the whole. */
function lastComplete(lab: LabDescription, steps: readonly StepLog[]): StepLog {
  const index = lab.steps?.findLastIndex(({ picture }) => picture && !picture.removes) ?? -1;
  return steps[index] ?? steps.at(-1)!;
}

/** Menu of steps for phones, where the list would push everything else out of sight. */
function StepPicker(props: {
  steps: readonly StepLog[];
  /** Ids to choose from: steps, with the summary before them if there is one. */
  ids: readonly string[];
  chosen: string;
  onSelect: (id: string) => void;
}) {
  const { steps, ids, chosen, onSelect } = props;
  const at = ids.indexOf(chosen);
  const by = (n: 1 | -1) => {
    const next = ids[at + n];
    if (next) onSelect(next);
  };
  return (
    <div className="flex gap-2 sm:hidden">
      <Button aria-label="Previous step" disabled={at === 0} onClick={() => by(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </Button>
      <select
        aria-label="Step"
        value={chosen}
        onChange={(e) => onSelect(e.target.value)}
        className="min-h-11 min-w-0 flex-1 rounded-[4px] border border-line-strong bg-panel px-2"
      >
        {ids.includes(SUMMARY) ? <option value={SUMMARY}>Summary</option> : null}
        {steps.map((s) => (
          <option key={s.id} value={s.id}>
            {s.index + 1} {s.title} ({STATE_WORD[s.state]})
          </option>
        ))}
      </select>
      <Button aria-label="Following step" disabled={at === ids.length - 1} onClick={() => by(1)}>
        <ChevronRight size={16} aria-hidden />
      </Button>
    </div>
  );
}

const STATE_WORD: Record<StepLog['state'], string> = {
  pending: 'not yet done',
  waiting: 'next',
  active: 'in progress',
  done: 'done',
  failed: 'failed',
};

function StepItem({ step, chosen, onSelect }: { step: StepLog; chosen: boolean; onSelect: () => void }) {
  return (
    <li>
      <Item
        chosen={chosen}
        onSelect={onSelect}
        mark={<StateMark step={step} />}
        muted={step.state === 'pending'}
        data-step={step.id}
        data-state={step.state}
      >
        <span className={step.state === 'waiting' || step.state === 'active' ? 'text-accent' : undefined}>
          {step.title}
          <span className="sr-only"> {STATE_WORD[step.state]}</span>
        </span>
      </Item>
    </li>
  );
}

function SummaryItem({ chosen, onSelect }: { chosen: boolean; onSelect: () => void }) {
  return (
    <Item chosen={chosen} onSelect={onSelect} mark={<Flag size={14} aria-hidden />} data-summary>
      Summary
    </Item>
  );
}

/** A line of the list at the left. */
function Item(props: {
  chosen: boolean;
  onSelect: () => void;
  mark: ReactNode;
  muted?: boolean;
  children: ReactNode;
  [data: `data-${string}`]: string | boolean;
}) {
  const { chosen, onSelect, mark, muted = false, children, ...data } = props;
  return (
    <button
      type="button"
      aria-current={chosen ? 'step' : undefined}
      onClick={onSelect}
      className={cn(
        'grid min-h-8 w-full grid-cols-[1.25rem_1fr] items-center gap-1 rounded-[4px] px-1.5 text-left pointer-coarse:min-h-11',
        chosen ? 'bg-hover font-medium' : 'hover:bg-hover',
        muted && !chosen && 'text-ink-2',
      )}
      {...data}
    >
      <span className="num text-12 text-ink-3">{mark}</span>
      {children}
    </button>
  );
}

/** Mark in place of the number, so that a title never wraps when its step begins. */
function StateMark({ step: { state, index } }: { step: StepLog }) {
  switch (state) {
    case 'done':
      return <Check size={14} className="text-ok-ink" aria-hidden />;
    case 'failed':
      return <X size={14} className="text-error-ink" aria-hidden />;
    case 'waiting':
      return <ArrowRight size={14} className="text-accent" aria-hidden />;
    case 'active':
      return <Ellipsis size={14} className="text-accent" aria-hidden />;
    case 'pending':
      return index + 1;
  }
}
