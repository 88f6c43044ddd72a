'use client';
import { useEffect, useMemo, useReducer, useSyncExternalStore } from 'react';
import { openRunSessions, runSessions, useAgent } from './store';
import { RunSessions, type RunSession } from './run-sessions';
import type { Pace, RunView } from './run-view';
import type { Topic } from '../model/run-model';
import { usePanelVisible } from './panel-visible';

/** Session of a run while the component is mounted; null before the connection exists. */
export function useRunSession(runId: string | null): RunSession | null {
  return useRunSessions(runId ?? '', true)[0] ?? null;
}

/** Sessions of several runs. `ids` are separated by spaces. `detail`: with completions and packets. */
export function useRunSessions(ids: string, detail: boolean): (RunSession | null)[] {
  // The frame connects in an effect; the change of status shows that the connection exists.
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
 * Redraws the component when one of the topics changes: at most at its pace, and not while the view is paused. The list
 * of topics must be a constant.
 */
export function useTopics(view: RunView, topics: readonly Topic[], pace: Pace = 'text'): void {
  useTopicsOf(
    useMemo(() => [view], [view]),
    topics,
    pace,
  );
}

/**
 * Redraws the component when a topic of one of several runs changes. Pass the same list while the views are the same.
 */
export function useTopicsOf(views: readonly RunView[], topics: readonly Topic[], pace: Pace = 'text'): void {
  const [, bump] = useReducer((n: number) => n + 1, 0);
  const visible = usePanelVisible();
  useEffect(() => {
    if (!visible) return;
    const stops = views.map((view) => view.subscribe(topics, bump, pace));
    // Changes between drawing and subscribing.
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
