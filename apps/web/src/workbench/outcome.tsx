'use client';
import {
  isFinal,
  taskCheck,
  WORKBENCH_FILE,
  WORKBENCH_LAB,
  type Check,
  type WorkbenchLanguage,
} from '@verbslab/protocol';
import { ArrowRight, Square } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { runHref, taskHref } from '../addresses';
import { infoToFailure, toFailure } from '../connection/failure';
import { lazyPart } from '../connection/lazy-part';
import type { RunSession } from '../connection/run-sessions';
import { request, useAgent } from '../connection/store';
import type { Topic } from '../model/run-model';
import type { PanelContentProps } from '../parts/run/panel-content';
import { Replaying } from '../connection/replaying';
import { useTopics } from '../connection/use-session';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote, Skeleton, type Failure } from '../ui/states';
import type { Told } from './editor/told';
import { Points } from './points';
import type { ShownTask } from './shown-task';
import { errorLines, pointLines, thrownLine } from './error-lines';

const TOPICS: readonly Topic[] = ['notes', 'record', 'state', 'output'];

const Output = lazyPart<PanelContentProps>(
  async () => (await import('../parts/run/output')).default,
  () => <Skeleton className="h-full" />,
);

/** Outcome of the program's last run: state, points and output, with a link to the whole run. */
export function Outcome(props: {
  task: ShownTask;
  language: WorkbenchLanguage;
  session: RunSession;
  own: boolean;
  /** Current text of the program. */
  source: string;
  onTold: (told: readonly Told[]) => void;
  onLine: (line: number) => void;
  onState: (running: boolean) => void;
  /** Loads the program of the run into the editor. */
  onOpen: (source: string) => void;
}) {
  const { task, language, session, own, source, onTold, onLine, onState, onOpen } = props;
  const view = session.view!;
  useTopics(view, TOPICS);
  const { record, checks: told, files } = view.model;
  const over = isFinal(record.state);
  const replaying = over && session.state !== 'complete';
  const connected = useAgent((s) => s.status === 'open');
  const [failure, setFailure] = useState<Failure | null>(null);

  const decided = useMemo(
    () => new Map<string, Check>([...(record.result?.checks ?? []), ...told.values()].map((c) => [c.id, c])),
    // The map of the model is filled in place; its size shows changes.
    // oxlint-disable-next-line react/exhaustive-deps
    [record, told, told.size],
  );
  const ran = files.get(WORKBENCH_FILE[language]);
  const same = ran === source;
  const printed = over ? view.model.output.text : '';
  const lines = useMemo(
    () => [
      ...errorLines(record.error, language),
      ...(record.error ? thrownLine(printed, language) : []),
      ...pointLines([...decided.values()], language),
    ],
    [record.error, printed, decided, language],
  );
  // Lines refer to the program that ran. The editor drops the messages of a line that is changed.
  const known = ran !== undefined;
  const latest = useRef(same);
  useEffect(() => {
    latest.current = same;
  }, [same]);
  useEffect(() => {
    if (known && latest.current) onTold(lines);
  }, [known, lines, onTold]);
  useEffect(() => onState(!over), [over, onState]);

  const everyPoint = over && task.points.every(({ id }) => decided.get(id)?.ok);
  // A program that was stopped or that ended with an error does not solve the task.
  const passed = everyPoint && record.state === 'done';
  const judged = own && over && decided.size > 0;
  useEffect(() => {
    if (!judged) return;
    const check = taskCheck(task.id, language);
    // The agent keeps the progress. While it is gone, nothing is kept.
    request('progress.answer', { lab: WORKBENCH_LAB, check, right: passed }).catch(() => undefined);
  }, [judged, passed, task.id, language]);

  return (
    <section
      aria-label="Last run"
      className="mt-4"
      data-outcome={!over ? 'running' : replaying ? 'replaying' : passed ? 'passed' : 'failed'}
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="font-medium">
          {!over
            ? connected
              ? 'Running…'
              : 'The agent does not answer. Whether the program still runs is not known.'
            : passed
              ? 'All points passed.'
              : replaying
                ? ''
                : everyPoint
                  ? 'Not passed yet: the program did not end as it should.'
                  : 'Not passed yet.'}
        </p>
        {!over && connected ? (
          <Button
            onClick={() => {
              setFailure(null);
              request('run.cancel', { runId: record.id }).catch((e: unknown) => setFailure(toFailure(e)));
            }}
          >
            <Square size={13} aria-hidden />
            Stop
          </Button>
        ) : null}
        <PageLink
          href={runHref(record.id)}
          className="inline-flex min-h-8 items-center text-13 text-accent underline underline-offset-4 pointer-coarse:min-h-11"
        >
          Run {record.number}: machine, timeline and packets
        </PageLink>
        {passed && task.next ? (
          <PageLink href={taskHref(task.next.id, language)} className={buttonStyle({ kind: 'primary' })}>
            Next task: {task.next.title}
            <ArrowRight size={14} aria-hidden />
          </PageLink>
        ) : null}
      </div>
      {ran !== undefined && !same ? (
        <p className="flex flex-wrap items-center gap-x-2 text-13 text-ink-2" data-changed>
          The program was changed since this run.
          <Button kind="quiet" onClick={() => onOpen(ran)}>
            Open the program of run {record.number}
          </Button>
        </p>
      ) : null}
      {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      {record.error ? (
        <FailureNote
          failure={infoToFailure(record.error)}
          open
          className="mt-2"
          action={
            lines[0] && same ? (
              <Button onClick={() => onLine(lines[0]!.line)}>Go to line {lines[0].line}</Button>
            ) : undefined
          }
        />
      ) : null}
      <Points
        points={task.points}
        checks={decided}
        over={over}
        onLine={same ? onLine : null}
        run={runHref(record.id)}
      />
      <h2 className="mt-6 mb-1 text-16 font-semibold">Output</h2>
      <div className="flex h-56 flex-col overflow-hidden border" data-program-output>
        <Replaying value={replaying}>
          <Output view={view} session={session} lab={null} table={false} />
        </Replaying>
      </div>
    </section>
  );
}
