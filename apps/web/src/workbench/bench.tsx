'use client';
import { WORKBENCH_FILE, type WorkbenchLanguage } from '@verbslab/protocol';
import { Play, RotateCcw } from 'lucide-react';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { usePageHandle } from '../actions/page-store';
import { infoToFailure } from '../connection/failure';
import { lazyPart } from '../connection/lazy-part';
import { useAgent } from '../connection/store';
import { StartFailure } from '../parts/run/start-failure';
import { AskDialog } from '../ui/ask-dialog';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Kbd } from '../ui/kbd';
import { FailureNote, Skeleton } from '../ui/states';
import type { ProgramEditorProps } from './editor/program-editor';
import type { Told } from './editor/told';
import { Outcome } from './outcome';
import { Points } from './points';
import type { ShownTask } from './shown-task';
import { Solution } from './solution';
import { errorLines } from './error-lines';
import { useProgram } from './use-program';
import { useTaskRun } from './use-task-run';
import type { Workbench } from './use-workbench';

/** The editor is large, and no other page needs it. */
const ProgramEditor = lazyPart<ProgramEditorProps>(
  async () => (await import('./editor/program-editor')).default,
  () => <Skeleton className="h-full" />,
);

const NOTHING: readonly Told[] = [];

/** The program of a task in one language: the editor, and what its last run showed. */
export function Bench(props: {
  task: ShownTask;
  language: WorkbenchLanguage;
  workbench: Workbench | null;
  /** A run that the address names. */
  run: string | null;
}) {
  const { task, language, workbench } = props;
  const how = useId();
  const connected = useAgent((s) => s.status === 'open');
  const starter = task.starter[language];
  const { source, kept, write, reset } = useProgram(task.id, language, starter);
  const run = useTaskRun(task.id, language, props.run);
  const [told, setTold] = useState<readonly Told[]>(NOTHING);
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const [asking, setAsking] = useState(false);

  const missing = workbench?.languages.find(({ name }) => name === language)?.missing ?? [];
  const view = run.session?.view ?? null;
  const running = run.starting || (view !== null && run.running);
  const ready = connected && workbench?.allowed === true && missing.length === 0 && !running;
  const { start } = run;
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  }, [source]);
  const go = useCallback(() => {
    if (!ready) return;
    setTold(NOTHING);
    void start(latest.current);
  }, [ready, start]);
  usePageHandle(useMemo(() => (ready ? { 'run-lab': go } : {}), [ready, go]));
  const refused = useMemo(
    () => (run.refusal ? errorLines(run.refusal.info, language) : NOTHING),
    [run.refusal, language],
  );

  return (
    <>
      <div className="h-[clamp(22rem,62vh,46rem)] border-x border-b">
        <ProgramEditor
          language={language}
          source={source}
          onChange={write}
          onRun={go}
          told={run.refusal ? refused : told}
          goTo={goTo}
          describedBy={how}
        />
      </div>
      <p id={how} className="mt-1 text-12 text-ink-3">
        Tab indents. Press <Kbd keys="Esc" />, then <Kbd keys="Tab" /> to leave the editor.{' '}
        {kept ? (
          'This browser keeps what you write.'
        ) : (
          <span role="alert" className="text-error-ink">
            This browser could not keep your program. Copy it before you leave the page.
          </span>
        )}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button kind="primary" disabled={!ready} onClick={go}>
          <Play size={14} aria-hidden />
          Run
        </Button>
        <Button disabled={source === starter} onClick={() => setAsking(true)}>
          <RotateCcw size={14} aria-hidden />
          Reset to the starter
        </Button>
        <CopyButton source={() => source} label={`Copy ${WORKBENCH_FILE[language]}`} text="Copy" />
        <span className="text-13 text-ink-2" role="status">
          {waitingFor({ connected, workbench, missing, starting: run.starting }) ?? (
            <>
              or press <Kbd keys="Ctrl Enter" />
            </>
          )}
        </span>
      </div>
      {run.refusal ? <StartFailure failure={run.refusal.failure} className="mt-4" /> : null}
      {run.session?.state === 'failed' && run.session.error ? (
        <FailureNote failure={infoToFailure(run.session.error.info)} className="mt-4" />
      ) : null}
      {view ? (
        <Outcome
          key={run.runId}
          task={task}
          language={language}
          session={run.session!}
          own={run.own}
          source={source}
          onTold={setTold}
          onLine={(line) => setGoTo({ line })}
          onState={run.setRunning}
          onOpen={write}
        />
      ) : (
        <Points points={task.points} checks={NO_CHECKS} over={false} onLine={null} />
      )}
      <Solution task={task} language={language} onUse={write} />
      <AskDialog
        open={asking}
        title="Reset to the starter?"
        keep="Keep my program"
        go="Reset"
        danger
        onKeep={() => setAsking(false)}
        onGo={() => {
          setAsking(false);
          reset();
        }}
      >
        Your {WORKBENCH_FILE[language]} of this task is deleted from this browser. Programs of earlier runs
        stay with their runs.
      </AskDialog>
    </>
  );
}

const NO_CHECKS = new Map<string, never>();

/** Why Run cannot be pressed; null where it can. */
function waitingFor(state: {
  connected: boolean;
  workbench: Workbench | null;
  missing: readonly string[];
  starting: boolean;
}): string | null {
  if (state.starting) return 'Compiling…';
  if (!state.connected || !state.workbench) return 'Waiting for the agent.';
  if (!state.workbench.allowed) return 'Running programs is switched off.';
  return state.missing.length > 0 ? 'Install the compiler first.' : null;
}
