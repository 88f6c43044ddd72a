// A history of many runs, written by the agent's own store before an agent is started on it.
import {
  encodeSeries,
  SERIES_FIELDS,
  type RunRecord,
  type RunResult,
  type SeriesRecord,
} from '@verbslab/protocol';
import { homeAt, openHome } from '../../apps/agent/src/config/home.js';
import { RunStore } from '../../apps/agent/src/store/store.js';
import { RunStream } from '../../apps/agent/src/store/stream.js';

/** The parts of a run that a list of runs shows. */
export interface PastRun {
  lab: 'bulk' | 'minimal-flow' | 'program';
  title: string;
  parameters: RunRecord['parameters'];
  state: RunRecord['state'];
  /** Goodput of RDMA and TCP, Gb/s. Absent if nothing was measured. */
  gbps?: [rdma: number, tcp: number];
  /** Host of the server. */
  host?: string;
}

const place = (role: string, host: string) =>
  ({ role, host, device: host === 'local' ? 'uroce0' : 'rxe0', providerClass: 'user-space' }) as const;

const figures = (gbps: number) => ({
  goodputGbps: gbps,
  messagesPerSecond: gbps * 1000,
  cpuSecondsPerGB: { app: 0.1, nic: 2 / gbps, kernel: 0.05 },
  latencyUs: { n: 5000, min: 10, p50: 20, p90: 30, p99: 400 / gbps, p999: null, max: 900 },
  bytes: 1_000_000_000,
  messages: 100_000,
  seconds: 8 / gbps,
});

function resultOf({ lab, parameters, state, gbps, host }: PastRun): RunResult {
  return {
    lab,
    state,
    provider: 'user-space',
    device: 'uroce0',
    endpoints: [place('client', 'local'), place('server', host ?? 'local')],
    parameters,
    transports: gbps ? { rdma: figures(gbps[0]), tcp: figures(gbps[1]) } : {},
    checks: [],
    problems: state === 'failed' ? 2 : 0,
    captureFile: null,
  };
}

/** Writes ended runs, the oldest first. Returns their records. */
export function writeHistory(home: string, runs: readonly PastRun[]): RunRecord[] {
  const store = RunStore.open(openHome(home));
  try {
    return runs.map((run) => {
      const created = store.create({ ...run, mode: 'all', device: 'uroce0' });
      const startedAt = created.createdAt;
      const record = {
        ...created,
        state: run.state,
        startedAt,
        endedAt: startedAt + 3100,
        result: resultOf(run),
      };
      store.save(record);
      return record;
    });
  } finally {
    store.close();
  }
}

/**
 * Writes a run whose agent was killed 0.1 s after it had begun to measure RDMA at 1 Gb/s. The next agent takes longer
 * to start, and no run ends later than the agent that finds it unfinished.
 */
export function writeUnfinished(home: string, run: Omit<PastRun, 'state' | 'gbps'>): RunRecord {
  const store = RunStore.open(homeAt(home));
  try {
    const created = store.create({ ...run, mode: 'all', device: 'uroce0' });
    const record = { ...created, state: 'running' as const, startedAt: created.createdAt };
    store.save(record);
    const stream = new RunStream({ store, run: record.number, now: () => 100e6 });
    stream.append({ kind: 'endpoint', role: 'client', device: 'uroce0', providerClass: 'user-space' });
    stream.append({
      kind: 'source',
      source: 1,
      transport: 'rdma',
      role: 'client',
      what: 'loop',
      label: 'RDMA at the client',
    });
    const none = Object.fromEntries(SERIES_FIELDS.map((field) => [field, 0])) as SeriesRecord;
    const samples = Array.from({ length: 5 }, (_, i) => ({
      ...none,
      t: (i + 1) * 20e6,
      intervalNs: 20e6,
      bytes: 2_500_000,
      messages: 40,
      appNs: 4e6,
    }));
    stream.appendFrame(encodeSeries({ source: 1, t: 0 }, samples));
    stream.flush();
    return record;
  } finally {
    store.close();
  }
}
