'use client';
import type { ErrorInfo, WorkbenchLanguage } from '@verbslab/protocol';
import { useCallback, useState } from 'react';
import { taskHref } from '../addresses';
import { AgentError } from '../connection/client';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import { useRunSession } from '../connection/use-session';
import type { Failure } from '../ui/states';

interface State {
  runId: string | null;
  /** True if it was started here, so that its outcome counts as progress. */
  own: boolean;
  starting: boolean;
  refusal: { failure: Failure; info: ErrorInfo | null } | null;
}

/** Starts the program of a task, and follows its run. */
export function useTaskRun(task: string, language: WorkbenchLanguage, named: string | null) {
  const [state, setState] = useState<State>({
    runId: named,
    own: false,
    starting: false,
    refusal: null,
  });
  const start = useCallback(
    async (source: string) => {
      setState((old) => ({ ...old, starting: true, refusal: null }));
      try {
        const { run } = await request('workbench.start', { task, language, source });
        setState({ runId: run.id, own: true, starting: false, refusal: null });
        history.replaceState(null, '', taskHref(task, language, run.id));
      } catch (error) {
        const info = error instanceof AgentError ? error.info : null;
        setState({
          runId: null,
          own: false,
          starting: false,
          refusal: { failure: toFailure(error), info },
        });
      }
    },
    [task, language],
  );
  const [running, setRunning] = useState(false);
  const session = useRunSession(state.runId);
  return { ...state, session, start, running, setRunning };
}
