'use client';
import type {
  AgentMessage,
  AgentMessageOf,
  DeviceInfo,
  LabDescription,
  Peer,
  ReplyOf,
  RequestType,
  RunRecord,
  ClientMessageOf,
} from '@verbslab/protocol';
import { create } from 'zustand';
import { AgentClient, type Refusal } from './client';
import { RunSessions } from './run-sessions';
import { WorkerLink } from './worker-link';

export type AgentIdentity = AgentMessageOf<'welcome'>['agent'];

export interface AgentState {
  status: 'connecting' | 'open' | 'lost';
  why: Refusal | null;
  attempt: number;
  retryAt: number | null;
  /** What the agent said of itself; kept while it is gone, so that the page does not go blank. */
  agent: AgentIdentity | null;
  devices: DeviceInfo[];
  labs: LabDescription[];
  /** Paired agents. Null until they have been asked for. */
  peers: Peer[] | null;
  /** Newest first. Null until the list has been asked for. */
  runs: RunRecord[] | null;
  moreRuns: boolean;
  /** Grows when a run session changed its state. */
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
  runs: null,
  moreRuns: false,
  sessionVersion: 0,
}));

const set = useAgent.setState;

let client: AgentClient | null = null;
let sessions: RunSessions | null = null;

function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

/** Opens the connection; called once, by the frame. */
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
        runs: old.runs && m.runs.reduce((list, run) => upsert(list, run), old.runs),
      }));
      sessions?.welcome();
      void loadRuns();
      void loadPeers();
    },
    lost: (why, attempt, retryAt) => {
      sessions?.lost();
      set({ status: 'lost', why, attempt, retryAt });
    },
    message: onMessage,
    frame: (bytes) => sessions?.frame(bytes),
    completions: (run, latest, lastSeq) => sessions?.completions(run, latest, lastSeq),
  });
  client = c;
  sessions = new RunSessions(c, () => set((s) => ({ sessionVersion: s.sessionVersion + 1 })));
  c.start();
  return () => {
    c.stop();
    client = null;
    sessions = null;
  };
}

export function runSessions(): RunSessions | null {
  return sessions;
}

export function retryNow(): void {
  client?.retryNow();
}

/** A request to the agent. Rejects with AgentError. */
export function request<T extends RequestType>(
  type: T,
  body: Omit<ClientMessageOf<T>, 'type' | 'id'>,
): Promise<ReplyOf<T>> {
  if (!client) return Promise.reject(new Error('not connected yet'));
  return client.request(type, body);
}

const PAGE = 200;

export async function loadRuns(before?: number): Promise<void> {
  try {
    const reply = await request('run.list', { limit: PAGE, ...(before === undefined ? {} : { before }) });
    set((s) => ({
      runs: before === undefined ? reply.runs : [...(s.runs ?? []), ...reply.runs],
      moreRuns: reply.more,
    }));
  } catch {
    // The banner already says that the connection is down; the next welcome asks again.
  }
}

/** `refresh` has the agent ask its peers for their devices. */
export async function loadPeers(refresh = false): Promise<void> {
  try {
    set({ peers: (await request('peers.list', { refresh })).peers });
  } catch {
    // As for the runs.
  }
}

/** A list with this run in its place: newest first, each once. */
export function upsert(list: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const i = list.findIndex((r) => r.id === run.id);
  if (i >= 0) return list.map((r, k) => (k === i ? run : r));
  const at = list.findIndex((r) => r.number < run.number);
  return at < 0 ? [...list, run] : [...list.slice(0, at), run, ...list.slice(at)];
}

function onMessage(m: AgentMessage): void {
  sessions?.message(m);
  if (m.type === 'run.changed') set((s) => ({ runs: s.runs && upsert(s.runs, m.run) }));
  if (m.type === 'peers.changed') set({ peers: m.peers });
  if (m.type === 'run.removed') set((s) => ({ runs: s.runs && s.runs.filter((r) => r.id !== m.runId) }));
}
