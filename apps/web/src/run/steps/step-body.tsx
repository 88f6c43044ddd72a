'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePageHandle } from '../../actions/page-store';
import type { RunSession } from '../../connection/run-sessions';
import { useTopics } from '../../connection/use-session';
import type { Topic } from '../../model/run-model';
import { stepLog } from '../../model/step-log';
import { Ending } from '../ending';
import { ProgramInC } from '../program-in-c';
import { NextStep } from './next-step';
import { StepColumns } from './step-columns';
import { StepRows } from './step-rows';
import { StepStrip, SUMMARY } from './step-strip';

const TOPICS: readonly Topic[] = ['trace', 'record', 'packets', 'work'];

/** Page of a lab in steps: all steps in a row, then the picture and the text of the chosen one beside each other. */
export function StepBody({ session, lab }: { session: RunSession; lab: LabDescription }) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const router = useRouter();
  const top = useRef<HTMLDivElement>(null);
  const columns = useRef<HTMLDivElement>(null);
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
  const drawn = `${at} ${done?.id}`;
  const before = useRef(drawn);
  // Another step is shown from the row of steps on, unless the button of the next one is in sight anyway.
  useEffect(() => {
    if (before.current === drawn) return;
    before.current = drawn;
    const next = columns.current?.querySelector('[data-next-step]')?.getBoundingClientRect();
    if (next && next.bottom > innerHeight) top.current?.scrollIntoView({ block: 'start' });
  }, [drawn]);
  const next = (
    <NextStep session={session} steps={steps} chosen={chosen} onSelect={select} onFollow={follow} />
  );
  const program = <ProgramInC view={view} lab={lab} steps={steps} />;
  return (
    <div>
      <div ref={top} className="scroll-mt-14">
        <StepStrip steps={steps} summary={over} chosen={at} onSelect={select} />
      </div>
      <p role="status" className="sr-only">
        {done ? `Step ${done.index + 1} of ${steps.length} is done: ${done.title}` : ''}
      </p>
      {/* Figures below are of this step. */}
      <div ref={columns} data-at-step={chosen?.index}>
        <StepColumns key={at} view={view} lab={lab} steps={steps} step={chosen} next={next}>
          {chosen === null && ending ? (
            <Ending ending={ending} alone>
              {program}
            </Ending>
          ) : null}
        </StepColumns>
        {chosen ? (
          <StepRows key={`rows ${at}`} session={session} lab={lab} steps={steps} step={chosen} />
        ) : null}
      </div>
      {over && chosen && chosen.index === steps.length - 1 ? (
        <Ending ending={ending} alone={false}>
          {program}
        </Ending>
      ) : null}
    </div>
  );
}
