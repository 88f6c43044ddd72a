import { LABS } from '@verbslab/labs';
import {
  FRAME_FLAGS,
  type RunNote,
  type RunRecord,
  type RunResult,
  type TransportResult,
} from '@verbslab/protocol';
import { interval, record, Stream } from '../../../apps/web/test/stream.js';
import { Measurements, RequestLatencies, type LatencySnapshot } from '@verbslab/charts/data';
import { Evidence } from '../src/failure/evidence.js';
import type { ReportSource } from '../src/content/source.js';

/** 2026-11-26 08:00:00 UTC. */
const START = 1_795_680_000_000;

export const bulk = LABS.find(({ description }) => description.id === 'bulk')!.description;

const transport = (gbps: number, nic: number | null): TransportResult => ({
  goodputGbps: gbps,
  messagesPerSecond: gbps * 1907,
  cpuSecondsPerGB: { app: 0.01234, nic, kernel: 0.4 },
  latencyUs: { n: 1200, min: 10, p50: 20, p90: 31, p99: 45.5, p999: null, max: 900 },
  bytes: 1e9,
  messages: 1200,
  seconds: 8 / gbps,
});

const place = (role: string, host: string) => ({
  role,
  host,
  device: 'uroce0',
  providerClass: 'user-space' as const,
  system: { hostname: 'ada', cpu: 'Xeon 6', cpus: 16, kernel: '6.18.1', verbslab: '0.1.0' },
});

export const result = (more: Partial<RunResult> = {}): RunResult => ({
  lab: 'bulk',
  state: 'done',
  provider: 'user-space',
  device: 'uroce0',
  links: ['udp'],
  endpoints: [place('client', 'local'), place('server', 'vm1')],
  parameters: {},
  transports: { rdma: { ...transport(10, 0.5), link: 'udp' }, tcp: transport(20, null) },
  checks: [
    { id: 'bytes-equal', ok: true, detail: 'All 4 MiB are equal.' },
    { id: 'icrc', ok: false, detail: '1 of 8 packets has another ICRC.' },
    { id: 'cpu', ok: true, applies: false, detail: 'Nothing was charged.' },
  ],
  answer: 'TCP moved 20.0 Gb/s, RDMA over UDP 10.0 Gb/s.',
  notes: [
    { text: 'Both ends share two cores.', caveat: true },
    { text: 'Latency is time in your own queue.' },
  ],
  captureFile: null,
  ...more,
});

export const note = (text: string, more: Partial<RunNote> = {}): RunNote => ({
  id: 'nnnnnnnnnn',
  runId: 'abcdefghij',
  version: 1,
  text,
  tags: [],
  moment: null,
  createdAt: START + 60_000,
  changedAt: START + 60_000,
  ...more,
});

/** Half a second of RDMA and TCP with their latencies. A sample of TCP took too long. */
export function measurements(): Measurements {
  const out = new Measurements();
  const s = new Stream();
  const loop = { kind: 'source', role: 'client', what: 'loop', endpoint: 'client' } as const;
  out.event(s.event({ ...loop, source: 1, transport: 'rdma', label: 'RDMA' }));
  out.event(s.event({ ...loop, source: 2, transport: 'tcp', label: 'TCP' }));
  for (let i = 1; i <= 4; i++) {
    const work = { bytes: 125e6, messages: 1000, appNs: 10e6, kernelNs: 20e6 };
    out.frame(
      s.series(1, [interval({ t: i * 100e6, ...work, nicNs: 50e6 })], i === 1 ? FRAME_FLAGS.omitted : 0),
    );
    out.frame(s.series(2, [interval({ t: 400e6 + i * 100e6, ...work, nicNs: NaN })]));
  }
  out.frame(s.series(2, [interval({ t: 2000e6, intervalNs: 1200e6, bytes: 125e6, nicNs: NaN })]));
  out.frame(
    s.histogram(
      1,
      Array.from({ length: 200 }, (_, i) => 10_000 + i * 100),
    ),
  );
  return out;
}

export const run = (more: Partial<RunRecord> = {}): RunRecord =>
  record({
    number: 12,
    title: 'RDMA and TCP on bulk transfers',
    state: 'done',
    parameters: { size: 65_536, operation: 'write', completionMode: 'poll' },
    createdAt: START,
    startedAt: START,
    endedAt: START + 2100,
    result: result(),
    tags: ['rnr'],
    ...more,
  });

/** 2,000 WRITEs of 10 to 30 µs over 20 ms, and 50 READs. */
export function requests(): LatencySnapshot {
  const all = new RequestLatencies();
  const columns = (opcode: number, latency: number[], dt: number[]) => {
    const zeros = new Uint32Array(latency.length);
    return {
      ...{ dt: Uint32Array.from(dt), latency: Uint32Array.from(latency) },
      ...{ meta: zeros.map(() => opcode), wrId: zeros, qpn: zeros, byteLen: zeros, imm: zeros, batch: zeros },
    };
  };
  const series = (n: number, step: number) => Array.from({ length: n }, (_, i) => i * step);
  all.take(
    1e9,
    columns(
      1,
      series(2000, 10).map((ns) => 10_000 + ns),
      series(2000, 10_000),
    ),
  );
  all.take(
    1e9,
    columns(
      2,
      series(50, 0).map(() => 50_000),
      series(50, 400_000),
    ),
  );
  return all.snapshot();
}

export const source = (more: Partial<ReportSource> = {}): ReportSource => ({
  run: run(),
  lab: bulk,
  notes: [
    note('## Seen\n\nThe peer was **slow**:\nsee `rnr_nak` and [the page](https://example.org/rnr).', {
      tags: ['peer'],
      moment: { t: 1.5e9, selection: { packet: 7, qp: { endpoint: 'client', qpn: 17 } } },
    }),
  ],
  measured: measurements(),
  requests: null,
  simulations: [],
  evidence: new Evidence(),
  host: 'here',
  version: '0.1.0',
  at: START + 120_000,
  ...more,
});
