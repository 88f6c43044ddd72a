import { PROGRAM_LAB, type EmittedEvent } from '@verbslab/protocol';
import { aeth, buildPacket } from '@verbslab/roce';
import { interval, Stream } from '../../../apps/web/test/stream.js';
import { Measurements } from '@verbslab/charts/data';
import { Evidence } from '../src/failure/evidence.js';
import type { ReportSource } from '../src/content/source.js';
import { result, run, source } from './source.js';

const [SERVER, CLIENT] = ['10.0.0.1', '10.0.0.2'];
/** NAK: remote access error. */
const ACCESS = 0x62;

const request = { qpn: 17, peerQpn: 18, opcode: 'RDMA_WRITE', length: 16_384, rkey: 7 };
const finding = { kind: 'finding', object: 'QP 0x000011', count: 1, where: 'main, bad.c:25' } as const;

/** Reports of a device whose program failed: the responder refused its WRITE, and it left objects behind. */
export const TOLD: readonly EmittedEvent[] = [
  {
    ...{ ...finding, kind: 'finding', id: 'request-failed', call: 'ibv_post_send', endpoint: 'pid 5' },
    ...{ detail: 'The responder refused it', cure: 'Look at the peer.', t: 2e6 },
    request: { ...request, wrId: '19', status: 'REM_ACCESS_ERR', psn: 700 },
  },
  {
    ...{ ...finding, kind: 'finding', id: 'request-refused', call: 'ibv_reg_mr', endpoint: 'pid 5' },
    ...{ detail: 'rkey 0x7 names no MR of the PD', cure: 'Send the rkey that ibv_reg_mr returned.', t: 2e6 },
    request: { ...request, psn: 701 },
  },
  {
    ...{ ...finding, kind: 'finding', id: 'object-leaked', call: 'ibv_reg_mr', object: 'MR 0x00000009' },
    ...{ count: 151, detail: 'never destroyed', cure: 'Call ibv_dereg_mr on each before exit.', t: 3e6 },
  },
  { kind: 'output', stream: 'stderr', text: 'completion 19: status 10\n', bytes: 25, t: 1e6 },
];

function nak(t: number, psn: number, syndrome = ACCESS): Parameters<Stream['packets']>[1][number] {
  const bytes = buildPacket({
    ...{ src: SERVER, dst: CLIENT },
    bth: { opcode: 17, destQp: 17, psn },
    headers: [aeth.bytes({ syndrome, msn: 1 })],
  });
  return { t, tapSeq: 0, direction: 'sent', flags: 0, origLen: bytes.length, bytes };
}

export function evidenceOf(events: readonly EmittedEvent[], packets = true): Evidence {
  const evidence = new Evidence();
  const s = new Stream();
  for (const event of events) evidence.event(s.event(event));
  // The taps of two processes report in turn. The second frame is earlier.
  if (packets) {
    evidence.frame(s.packets(1, [nak(2_000, 650, 0x20), nak(2_000_000, 701)]));
    evidence.frame(s.packets(2, [nak(1_000, 640, 0)]));
  }
  return evidence;
}

/** A program that failed at once: a single sample, in which it transferred nothing. */
export function failedProgram(evidence: Evidence, more: Partial<ReportSource> = {}): ReportSource {
  const measured = new Measurements();
  const s = new Stream();
  const event = { kind: 'source', source: 1, transport: 'rdma', role: 'process', what: 'loop' } as const;
  measured.event(s.event({ ...event, label: 'pid 5', endpoint: 'pid 5' }));
  measured.frame(s.series(1, [interval({ t: 100e6 })]));
  return source({
    run: run({
      lab: PROGRAM_LAB,
      title: './bad',
      state: 'failed',
      parameters: { command: ['./bad'] },
      error: {
        code: 'PROGRAM_FAILED',
        message: 'The program ended with exit code 1.',
        cure: 'Read what it printed. Failed calls and completions, if any, are listed below.',
        detail: {},
      } as never,
      result: result({ transports: {}, checks: [], notes: undefined, answer: undefined }),
    }),
    ...{ lab: null, notes: [], measured, evidence },
    ...more,
  });
}
