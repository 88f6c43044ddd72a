/** Runs of two programs, told to an agent as `exec` tells it. */
import {
  COMPLETION_FIELDS,
  encodeCompletions,
  encodePackets,
  encodeSeries,
  SERIES_FIELDS,
  stampFrame,
  type CompletionColumns,
  type ProgramEvent,
  type ProgramWork,
  type RunRecord,
  type SeriesRecord,
} from '@verbslab/protocol';
import type { Agent } from '../../src/agent.js';
import { Recorder } from './agent.js';

export const MS = 1e6;
export const QP = { server: 17, client: 18 };
export type Side = keyof typeof QP;

export interface Told {
  side: Side;
  /** Milliseconds on the run’s own clock. */
  times: number[];
  code: number;
}

const completions = (): CompletionColumns =>
  Object.fromEntries(
    COMPLETION_FIELDS.map((field) => [
      field,
      Uint32Array.of(field === 'latency' ? 5000 : field === 'meta' ? 0 : 1),
    ]),
  ) as CompletionColumns;

const series = (t: number): SeriesRecord => ({
  ...(Object.fromEntries(SERIES_FIELDS.map((field) => [field, NaN])) as SeriesRecord),
  t,
  intervalNs: MS,
  bytes: 4096,
});

function eventsOf({ side, times }: Told): ProgramEvent[] {
  const endpoint = `pid ${QP[side]}`;
  const [qpn, peerQpn] = side === 'server' ? [QP.server, QP.client] : [QP.client, QP.server];
  const source = { kind: 'source', transport: 'rdma', role: 'process', label: side, endpoint, t: 0 } as const;
  return [
    { ...source, source: 1, what: 'loop' },
    { ...source, source: 2, what: 'tap' },
    { kind: 'qp', qpn, from: 'INIT', to: 'RTR', attrs: { dest_qp_num: peerQpn }, endpoint, t: 0 },
    { kind: 'output', stream: 'stdout', text: `${side}\n`, bytes: side.length + 1, t: 0 },
    ...times.map((ms): ProgramEvent => {
      const t = ms * MS;
      const later = { firstTx: t + 1, lastTx: t + 2, acked: null, cqe: t + 3, polled: t + 4 };
      const request = { wrId: 1, opcode: 'SEND', byteLen: 4096, status: 0 };
      return { kind: 'wr', qpn, ...request, posted: t, ...later, endpoint, t: t + 4 };
    }),
  ];
}

function framesOf({ times }: Told, run: number): Uint8Array[] {
  const frames = times.flatMap((ms) => {
    const t = ms * MS;
    const bytes = new Uint8Array(60).fill(0x45);
    const packet = { t: t + 1, tapSeq: ms, direction: 'sent', flags: 0, origLen: 60, bytes } as const;
    return [
      encodePackets({ source: 2, t }, [packet]),
      encodeCompletions({ source: 1, t }, completions()),
      encodeSeries({ source: 1, t }, [series(t + MS)]),
    ];
  });
  for (const frame of frames) stampFrame(frame, run, 0);
  return frames;
}

/** Work that a side reports: as many sends as receives, of 4 KiB. */
export function workOf({ times }: Told): ProgramWork {
  const bytes = times.length * 4096;
  const last = Math.max(0, ...times) * MS;
  return {
    processes: 1,
    device: 'uroce0',
    messages: 2 * times.length,
    bytes: 2 * bytes,
    moved: { written: 0, read: 0, sent: bytes, received: bytes },
    seconds: last / 1e9,
    timedBytes: 2 * bytes,
    timedFrom: 'post',
    start: 0,
    latencyUs: null,
    sampled: false,
    peers: ['::ffff:127.0.0.1'],
    peerCount: 1,
  };
}

export const SERVER: Told = { side: 'server', times: [1, 4, 9], code: 0 };
export const CLIENT: Told = { side: 'client', times: [2, 3], code: 0 };

/** Runs of programs that were in progress together, in this order. */
export async function record(
  agent: Agent,
  sides: readonly Told[],
  workIn: (told: Told) => ProgramWork = workOf,
): Promise<RunRecord[]> {
  const fed = [];
  for (const told of sides) {
    const { client } = await Recorder.connect(agent);
    const clock = process.hrtime.bigint().toString();
    const { run } = await client.request('program.start', { command: ['pingpong', told.side], clock });
    fed.push({ told, client, run });
  }
  const runs = [];
  for (const { told, client, run } of fed) {
    client.send({ type: 'program.events', runId: run.id, events: eventsOf(told) });
    for (const frame of framesOf(told, run.number)) client.send(frame);
    const end = { runId: run.id, code: told.code, signal: null, work: workIn(told) };
    runs.push((await client.request('program.end', end)).run);
    await client.close();
  }
  return runs;
}
