'use client';
import {
  rowOf,
  type AgentMessage,
  type AgentMessageOf,
  type DeviceInfo,
  type LabDescription,
  type LabProgress,
  type Peer,
  type ReplyOf,
  type RequestType,
  type RunRow,
  type BodyOf,
} from '@verbslab/protocol';
import { create } from 'zustand';
import { AgentClient, type Refusal } from './client';
import type { Failure } from '../ui/states';
import { toFailure } from './failure';
import { changed, RunPages, without } from './run-pages';
import type { RunSessions } from './run-sessions';
import { WorkerLink } from './worker-link';

export type AgentIdentity = AgentMessageOf<'welcome'>['agent'];

export interface AgentState {
  status: 'connecting' | 'open' | 'lost';
  why: Refusal | null;
  attempt: number;
  retryAt: number | null;
  /** Identity of the agent; kept while it is gone, so that the page does not go blank. */
  agent: AgentIdentity | null;
  devices: DeviceInfo[];
  labs: LabDescription[];
  /** Paired agents. Null until loaded. */
  peers: Peer[] | null;
  /** Progress in the labs. Null until loaded. */
  progress: LabProgress[] | null;
  /** Newest first. Null until loaded. */
  runs: RunRow[] | null;
  moreRuns: boolean;
  /** Number of runs of the agent that are not in `runs`. */
  olderRuns: number;
  /** Numbers of the runs that the agent cannot read. */
  unreadableRuns: number[];
  /** Lowest run number loaded; the next page has those below it. */
  oldestRun: number | null;
  /** Reason why the last request for the list failed. */
  runsFailure: Failure | null;
  peersFailure: Failure | null;
  progressFailure: Failure | null;
  /** Grows whenever a run session changes its state. */
  sessionVersion: number;
}

export const useAgent = create<AgentState>(() => ({
  status: 'connecting',
  why: null,
  attempt: 0,
  retryAt: null,
  agent: null,
  devices: [],
  labs: [],
  peers: null,
  progress: null,
  runs: null,
  moreRuns: false,
  olderRuns: 0,
  unreadableRuns: [],
  oldestRun: null,
  runsFailure: null,
  peersFailure: null,
  progressFailure: null,
  sessionVersion: 0,
}));

const set = useAgent.setState;

let client: AgentClient | null = null;
let sessions: RunSessions | null = null;

function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

/** Opens the connection; the frame calls it once. */
export function connect(): () => void {
  const c = new AgentClient(socketUrl(), new WorkerLink(), {
    connecting: () =>
      set({ status: useAgent.getState().status === 'lost' ? 'lost' : 'connecting', retryAt: null }),
    welcome: (m) => {
      set((old) => ({
        status: 'open',
        why: null,
        attempt: 0,
        retryAt: null,
        agent: m.agent,
        devices: m.devices,
        labs: m.labs,
        runsFailure: null,
        peersFailure: null,
        progressFailure: null,
        runs: m.runs.reduce((history, run) => ({ ...history, ...changed(history, run) }), old).runs,
      }));
      sessions?.welcome();
      void loadRuns();
      void loadPeers();
      void loadProgress();
    },
    lost: (why, attempt, retryAt) => {
      sessions?.lost();
      set({ status: 'lost', why, attempt, retryAt });
    },
    message: onMessage,
    frame: (bytes) => sessions?.frame(bytes),
    latencies: (run, latencies) => sessions?.latencies(run, latencies),
    completions: (run, latest, lastSeq) => sessions?.completions(run, latest, lastSeq),
  });
  client = c;
  c.start();
  return () => {
    c.stop();
    client = null;
    sessions = null;
  };
}

/** Sessions of runs. Null before the connection exists, or until a page shows a run. */
export function runSessions(): RunSessions | null {
  return sessions;
}

/**
 * Sessions of runs; `create` makes them at the first call. Null before the connection exists. The code comes from the
 * pages that show runs, so that other pages do not load it.
 */
export function openRunSessions(
  create: (client: AgentClient, onChange: () => void) => RunSessions,
): RunSessions | null {
  if (sessions || !client) return sessions;
  sessions = create(client, () => set((s) => ({ sessionVersion: s.sessionVersion + 1 })));
  if (useAgent.getState().status === 'open') sessions.welcome();
  return sessions;
}

export function retryNow(): void {
  client?.retryNow();
}

/** Sends a request to the agent. Rejects with AgentError. */
export function request<T extends RequestType>(type: T, body: BodyOf<T>): Promise<ReplyOf<T>> {
  if (!client) return Promise.reject(new Error('not connected yet'));
  return client.request(type, body);
}

const PAGE = 200;

const pages = new RunPages(
  (before) => request('run.rows', { limit: PAGE, ...(before === undefined ? {} : { before }) }),
  set,
);

/** Loads the newest runs, or the page before a number. A second call for a page that is being loaded has no effect. */
export const loadRuns = (before?: number): Promise<void> => pages.load(before);

/** Loads the next page of older runs. */
export const loadOlderRuns = (): Promise<void> => loadRuns(useAgent.getState().oldestRun ?? undefined);

/** Loads the peers. With `refresh`, the agent also asks them for their devices. */
export async function loadPeers(refresh = false): Promise<void> {
  try {
    set({ peers: (await request('peers.list', { refresh })).peers, peersFailure: null });
  } catch (error) {
    set({ peersFailure: toFailure(error) });
  }
}

export async function loadProgress(): Promise<void> {
  try {
    set({ progress: (await request('progress.get', {})).labs, progressFailure: null });
  } catch (error) {
    const failure = toFailure(error);
    // An agent of an older version keeps no progress.
    if (failure.code !== 'UNKNOWN_MESSAGE') set({ progressFailure: failure });
  }
}

const hearers = new Set<(m: AgentMessage) => void>();

/** Passes every message that answers no request to a page. Returns the function that stops this. */
export function hear(hearer: (m: AgentMessage) => void): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

function onMessage(m: AgentMessage): void {
  sessions?.message(m);
  for (const hearer of hearers) hearer(m);
  if (m.type === 'run.changed') set((s) => changed(s, rowOf(m.run)));
  if (m.type === 'progress.changed') set({ progress: m.labs });
  if (m.type === 'peers.changed') set({ peers: m.peers });
  if (m.type === 'run.removed') set((s) => without(s, m.runId));
}
