'use client';
import { useEffect, useMemo, useReducer, useSyncExternalStore } from 'react';
import { openRunSessions, runSessions, useAgent } from './store';
import { RunSessions, type RunSession } from './run-sessions';
import type { Pace, RunView } from './run-view';
import type { Topic } from '../model/run-model';
import { usePanelVisible } from './panel-visible';

/** The session of a run for as long as the component is mounted; null before the connection exists. */
export function useRunSession(runId: string | null): RunSession | null {
  return useRunSessions(runId ?? '', true)[0] ?? null;
}

/** The same for several runs. `ids`: with spaces between. `detail`: with completions and packets. */
export function useRunSessions(ids: string, detail: boolean): (RunSession | null)[] {
  // The connection is made in an effect of the frame: its change of status shows that it exists.
  useAgent((s) => s.status);
  useAgent((s) => s.sessionVersion);
  const [, bump] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const list = idsIn(ids);
    if (list.length === 0) return;
    let taken = false;
    const take = () => {
      if (taken) return;
      const sessions = openRunSessions((client, onChange) => new RunSessions(client, onChange));
      if (!sessions) return;
      taken = true;
      for (const id of list) sessions.acquire(id, detail);
      bump();
    };
    take();
    const stop = useAgent.subscribe(take);
    return () => {
      stop();
      if (taken) for (const id of list) runSessions()?.release(id);
    };
  }, [ids, detail]);
  return idsIn(ids).map((id) => runSessions()?.get(id) ?? null);
}

const idsIn = (ids: string): string[] => ids.split(' ').filter(Boolean);

/**
 * Draws the component again when one of the topics changed: at most as often as its pace says, not while the view
 * is paused. The list of topics must be a constant.
 */
export function useTopics(view: RunView, topics: readonly Topic[], pace: Pace = 'text'): void {
  useTopicsOf(
    useMemo(() => [view], [view]),
    topics,
    pace,
  );
}

/** The same for the views of several runs; the list of them must stay the same while they do. */
export function useTopicsOf(views: readonly RunView[], topics: readonly Topic[], pace: Pace = 'text'): void {
  const [, bump] = useReducer((n: number) => n + 1, 0);
  const visible = usePanelVisible();
  useEffect(() => {
    if (!visible) return;
    const stops = views.map((view) => view.subscribe(topics, bump, pace));
    // What came between drawing and subscribing.
    for (const view of views) view.poke();
    bump();
    return () => {
      for (const stop of stops) stop();
    };
  }, [views, topics, pace, visible]);
}

export function usePaused(view: RunView): boolean {
  return useSyncExternalStore(
    view.onPause,
    () => view.paused,
    () => false,
  );
}
