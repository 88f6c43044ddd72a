'use client';
import type { LabDescription } from '@verbslab/protocol';
import { ArrowRight, Check, ChevronLeft, ChevronRight, Ellipsis, X } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useRef } from 'react';
import type { RunSession } from '../connection/run-sessions';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Ending } from './ending';
import { HostPicture } from './host-picture';
import { NextStep } from './next-step';
import ChecksPanel from './panels/checks';
import { stepLog, type StepLog } from './model/step-log';
import type { Topic } from './model/run-model';
import { ProgramInC } from './program-in-c';
import { useRunHandle } from './run-handle';
import { StepDetail } from './step-detail';
import { useTopics } from './use-session';

const TOPICS: readonly Topic[] = ['trace', 'record', 'packets'];

/** A lab gone through step by step: the steps on the left, what happened in the chosen one on the right. */
export function StepBody({ session, lab }: { session: RunSession; lab: LabDescription }) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const router = useRouter();
  const top = useRef<HTMLDivElement>(null);
  const query = useSearchParams();
  const steps = stepLog(view.model, lab);
  const latest = steps.findLast((s) => !Number.isNaN(s.begin)) ?? steps[0]!;
  const { record } = view.model;
  // Step by step the page shows the step that ran last, to the end. A run that goes through by itself is read from its beginning.
  const followed = record.mode === 'step' ? latest : steps[0]!;
  const chosen = steps.find((s) => s.id === query.get('step')) ?? followed;

  const ids = steps.map((s) => s.id).join(' ');
  const { select, follow, handle } = useMemo(() => {
    const list = ids.split(' ');
    const go = (id: string | null) => {
      const next = new URLSearchParams(location.search);
      next.delete('packet');
      if (id === null) next.delete('step');
      else next.set('step', id);
      router.replace(`/runs/view?${next}`, { scroll: false });
      top.current?.scrollIntoView({ block: 'nearest' });
    };
    const move = (by: 1 | -1) => {
      const i = list.indexOf(chosen.id);
      const id = list[Math.min(list.length - 1, Math.max(0, i + by))];
      if (id) go(id);
    };
    return { select: go, follow: () => go(null), handle: { move } };
  }, [ids, chosen.id, router]);
  useRunHandle('steps', handle);

  const done = steps.findLast((s) => s.state === 'done');
  return (
    <>
      <div ref={top} className="mb-5 scroll-mt-14 border-b pb-4">
        <HostPicture lab={lab} index={chosen.index} states={chosen.states} link={view.model.links[0]} />
      </div>
      <p role="status" className="sr-only">
        {done ? `Step ${done.index + 1} of ${steps.length} is done: ${done.title}` : ''}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 md:grid-cols-[15rem_minmax(0,1fr)] md:grid-rows-[auto_1fr] lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="max-sm:hidden">
          <h2 className="mb-1 text-13 font-semibold">Steps</h2>
          <ol>
            {steps.map((s) => (
              <StepItem key={s.id} step={s} chosen={s.id === chosen.id} onSelect={() => select(s.id)} />
            ))}
          </ol>
        </div>
        <StepPicker steps={steps} chosen={chosen} onSelect={select} />
        <div className="min-h-dvh min-w-0 md:col-start-2 md:min-h-0 md:row-span-2 md:row-start-1">
          <StepDetail view={view} lab={lab} step={chosen} />
          {record.state === 'done' && lab.ending && chosen.index === steps.length - 1 ? (
            <Ending ending={lab.ending}>
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

/** On a phone the list of steps would push everything else out of sight. */
function StepPicker({
  steps,
  chosen,
  onSelect,
}: {
  steps: readonly StepLog[];
  chosen: StepLog;
  onSelect: (id: string) => void;
}) {
  const by = (n: 1 | -1) => {
    const next = steps[chosen.index + n];
    if (next) onSelect(next.id);
  };
  return (
    <div className="flex gap-2 sm:hidden">
      <Button aria-label="Previous step" disabled={chosen.index === 0} onClick={() => by(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </Button>
      <select
        aria-label="Step"
        value={chosen.id}
        onChange={(e) => onSelect(e.target.value)}
        className="min-h-11 min-w-0 flex-1 rounded-[4px] border border-line-strong bg-panel px-2"
      >
        {steps.map((s) => (
          <option key={s.id} value={s.id}>
            {s.index + 1} {s.title} ({STATE_WORD[s.state]})
          </option>
        ))}
      </select>
      <Button aria-label="Following step" disabled={chosen.index === steps.length - 1} onClick={() => by(1)}>
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
      <button
        type="button"
        aria-current={chosen ? 'step' : undefined}
        data-step={step.id}
        data-state={step.state}
        onClick={onSelect}
        className={cn(
          'grid min-h-8 w-full grid-cols-[1.25rem_1fr] items-center gap-1 rounded-[4px] px-1.5 text-left pointer-coarse:min-h-11',
          chosen ? 'bg-hover font-medium' : 'hover:bg-hover',
          step.state === 'pending' && !chosen && 'text-ink-2',
        )}
      >
        <span className="num text-12 text-ink-3">
          <StateMark step={step} />
        </span>
        <span className={step.state === 'waiting' || step.state === 'active' ? 'text-accent' : undefined}>
          {step.title}
          <span className="sr-only"> {STATE_WORD[step.state]}</span>
        </span>
      </button>
    </li>
  );
}

/** In the place of the number, so that a title never wraps when its step begins. */
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
