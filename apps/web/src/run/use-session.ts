'use client';
import { useEffect, useReducer, useSyncExternalStore } from 'react';
import { runSessions, useAgent } from '../connection/store';
import type { RunSession } from '../connection/run-sessions';
import type { Pace, RunView } from '../connection/run-view';
import type { Topic } from './model/run-model';
import { usePanelVisible } from './panel-visible';

/** The session of a run for as long as the component is mounted; null before the connection exists. */
export function useRunSession(runId: string | null): RunSession | null {
  // The connection is made in an effect of the frame: its change of status shows that it exists.
  useAgent((s) => s.status);
  useAgent((s) => s.sessionVersion);
  const [, bump] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!runId) return;
    let taken = false;
    const take = () => {
      const sessions = runSessions();
      if (taken || !sessions) return;
      taken = true;
      sessions.acquire(runId);
      bump();
    };
    take();
    const stop = useAgent.subscribe(take);
    return () => {
      stop();
      if (taken) runSessions()?.release(runId);
    };
  }, [runId]);
  return runId ? (runSessions()?.get(runId) ?? null) : null;
}

/**
 * Draws the component again when one of the topics changed: at most as often as its pace says, not while the view
 * is paused. The list of topics must be a constant.
 */
export function useTopics(view: RunView, topics: readonly Topic[], pace: Pace = 'text'): void {
  const [, bump] = useReducer((n: number) => n + 1, 0);
  const visible = usePanelVisible();
  useEffect(() => {
    if (!visible) return;
    const stop = view.subscribe(topics, bump, pace);
    // What came between drawing and subscribing.
    view.poke();
    bump();
    return stop;
  }, [view, topics, pace, visible]);
}

export function usePaused(view: RunView): boolean {
  return useSyncExternalStore(
    view.onPause,
    () => view.paused,
    () => false,
  );
}
