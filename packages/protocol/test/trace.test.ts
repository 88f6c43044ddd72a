import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMPLETION_FIELDS,
  encodeCompletions,
  encodeSeries,
  type CompletionColumns,
  type CompletionField,
} from '../src/index.js';
import { event, frame, series, source, write } from './written.js';
import { rowsOf, traceOf } from './trace-reader.js';

const wr = (posted: number, polled: number | null, more: object = {}): object => ({
  kind: 'wr',
  t: posted,
  endpoint: 'client',
  qpn: 17,
  wrId: posted,
  opcode: 'SEND',
  byteLen: 64,
  status: 0,
  posted,
  firstTx: null,
  lastTx: null,
  acked: null,
  cqe: null,
  polled,
  ...more,
});

const verb = (t: number, durationNs: number, more: object = {}): object => ({
  kind: 'verb',
  t,
  endpoint: 'client',
  call: 'ibv_poll_cq',
  args: {},
  durationNs,
  ...more,
});

const wc = (status: number, statusName: string): object => ({
  kind: 'completion',
  t: 5000,
  endpoint: 'client',
  wc: { wrId: 3, status, statusName, opcode: 'SEND', byteLen: 0, qpn: 17 },
});

/** Completions of QP 17, one for each of these. */
const completions = (seq: number, t: number, all: readonly Partial<Record<CompletionField, number>>[]) =>
  frame(
    seq,
    encodeCompletions(
      { source: 4, t, seq },
      Object.fromEntries(
        COMPLETION_FIELDS.map((field) => [
          field,
          Uint32Array.from(all, (one) => one[field] ?? (field === 'qpn' ? 17 : 0)),
        ]),
      ) as CompletionColumns,
    ),
  );

/** Any time, also between two nanoseconds: clocks of two hosts are brought together. */
const time = fc.oneof(fc.nat(2000), fc.double({ min: 0, max: 1e13, noNaN: true }));

describe('a trace', () => {
  it('shows a request with the stages that are known, and nothing of the others', async () => {
    const events = await traceOf([event(wr(1000, 9000, { firstTx: 2000, cqe: 8000 }), 0)]);
    expect(events.flatMap((e) => (e.ph === 'X' ? [[e.name, e.ts, e.dur]] : []))).toEqual([
      ['SEND', 1, 8],
      ['posted → first packet', 1, 1],
      ['first packet → CQE', 2, 6],
      ['CQE → polled', 8, 1],
    ]);
    expect(rowsOf(events, 'i')).toEqual({
      'QP 0x000011 requests': ['posted', 'first packet', 'CQE', 'polled'],
    });
  });

  it('never lets slices of one row overlap, whatever the times of requests, calls and completions', async () => {
    const stages = fc
      .tuple(fc.array(time, { minLength: 5, maxLength: 5 }), fc.boolean())
      .map(([all, inOrder]) => (inOrder ? all.toSorted((a, b) => a - b) : all));
    const requests = fc.array(fc.tuple(time, stages)).map((all) =>
      all.map(([posted, [a, b, c, d, e]]) =>
        wr(posted, posted + e!, {
          firstTx: posted + a!,
          lastTx: posted + b!,
          acked: posted + c!,
          cqe: posted + d!,
        }),
      ),
    );
    const calls = fc.array(fc.tuple(time, time)).map((all) => all.map(([t, long]) => verb(t, long)));
    const polled = fc.array(
      fc.record({ dt: fc.nat(5000), latency: fc.oneof(fc.nat(5000), fc.constant(0xffff_ffff)) }),
    );
    await fc.assert(
      fc.asyncProperty(requests, calls, time, polled, async (wrs, verbs, base, all) => {
        await traceOf([...[source, ...wrs, ...verbs].map(event), completions(1000, base, all)]);
      }),
      { numRuns: 100 },
    );
  });

  it('has calls, states, counters and CPU on the process of their endpoint', async () => {
    const cpu = (t: number, userNs: number): object => ({
      kind: 'cpu',
      t,
      endpoint: 'client',
      processUserNs: userNs,
      processSystemNs: 0,
      nicUserNs: null,
      nicKernelNs: null,
    });
    const events = await traceOf([
      ...[
        source,
        verb(1000, 500),
        {
          kind: 'qp',
          t: 2000,
          endpoint: 'client',
          qpn: 17,
          from: 'INIT',
          to: 'RTR',
          attrs: { path_mtu: 1024 },
        },
        { kind: 'counter', t: 3000, endpoint: 'client', when: 'before', values: { rx_packets: 7 } },
        cpu(4000, 100),
        cpu(5000, 600),
      ].map(event),
      frame(7, encodeSeries({ source: 4, t: 0, seq: 7 }, [series(9000), series(9000, { intervalNs: 0 })])),
    ]);
    expect(new Set(events.map(({ pid }) => pid)).size).toBe(1);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ph: 'X', name: 'ibv_poll_cq', ts: 1, dur: 0.5 }),
        expect.objectContaining({ ph: 'i', name: 'INIT → RTR', args: { path_mtu: 1024 } }),
        expect.objectContaining({ ph: 'C', name: 'rx_packets', args: { value: 7 } }),
        // True since the report before; what is unknown has no track.
        expect.objectContaining({
          name: 'CPUs of the process',
          ts: 4,
          args: { 'process user': 0.5, 'process system': 0 },
        }),
        expect.objectContaining({ ph: 'C', ts: 8, args: { application: 0.25 } }),
      ]),
    );
  });

  it('shows the completions of a loop from the post on, and what has no post as an instant', async () => {
    const events = await traceOf([
      event(source, 0),
      completions(2, 10_000, [
        { dt: 0, latency: 4000, meta: 1, wrId: 1 },
        { dt: 500, latency: 4000, meta: 1, wrId: 2 },
        { dt: 600, latency: 0, meta: 128, wrId: 3 },
        { dt: 700, latency: 0xffff_ffff, meta: (12 << 8) | 1, wrId: 4 },
        { dt: 800, latency: 100, meta: 5 << 8, wrId: 5 },
      ]),
    ]);
    expect(rowsOf(events, 'X')).toEqual({
      'QP 0x000011 post to completion': ['RDMA_WRITE', 'WR_FLUSH_ERR'],
      'QP 0x000011 post to completion (2)': ['RDMA_WRITE'],
      'QP 0x000011 post to completion (3)': ['RETRY_EXC_ERR'],
    });
    expect(events.find(({ ph }) => ph === 'X')).toMatchObject({ ts: 6, dur: 4, args: { wrId: 1 } });
    // A flush follows an error, and is none.
    expect(rowsOf(events, 'i')).toEqual({ 'QP 0x000011': ['RECV'], errors: ['RETRY_EXC_ERR'] });
    const long = events.find(({ ph, name }) => ph === 'X' && name === 'RETRY_EXC_ERR');
    expect(long).toMatchObject({ ts: 0, args: { posted: 'before this slice begins' } });
  });

  it('has an instant for each error on a row of its own, and none for what is no error', async () => {
    const failed = verb(1, 2, {
      call: 'ibv_modify_qp',
      error: { code: 'CALL_FAILED', message: 'ibv_modify_qp failed (EINVAL)', cure: '' },
    });
    const at = { endpoint: 'client', t: 9 };
    const events = await traceOf(
      [
        failed,
        verb(4, 1),
        wc(0, 'SUCCESS'),
        wc(12, 'RETRY_EXC_ERR'),
        wc(5, 'WR_FLUSH_ERR'),
        { kind: 'async', ...at, event: 'QP_FATAL', qpn: 17 },
        { kind: 'async', ...at, event: 'COMM_EST', qpn: 17 },
        { kind: 'check', t: 9, id: 'bytes', ok: false, detail: 'They differ.' },
        { kind: 'check', t: 9, id: 'icrc', ok: true, detail: 'It matches.' },
        { kind: 'dropped', t: 9, what: 'packets', records: 3, reason: 'limit' },
        {
          kind: 'run.state',
          t: 9,
          state: 'failed',
          error: { code: 'ENDPOINT_GONE', message: 'The client ended.', cure: '' },
        },
      ].map(event),
    );
    const errors = events.filter((e) => e.ph === 'i' && e.cat === 'error').map(({ name }) => name);
    expect(errors).toEqual([
      'ibv_modify_qp: EINVAL',
      'RETRY_EXC_ERR',
      'QP_FATAL',
      'failed check: bytes',
      'run failed: The client ended.',
    ]);
    const { errors: row, ...others } = rowsOf(events, 'i');
    expect(row).toEqual(errors);
    expect(others).toEqual({
      'QP 0x000011': [
        'completion',
        'completion: RETRY_EXC_ERR',
        'completion: WR_FLUSH_ERR',
        'QP_FATAL',
        'COMM_EST',
      ],
      events: ['check: icrc', 'not recorded: 3 packets', 'failed'],
    });
  });

  it('names a failed request by its status', async () => {
    const events = await traceOf([event(wr(0, 10, { status: 13 }), 0)]);
    expect(rowsOf(events, 'X')['QP 0x000011 requests']![0]).toBe('SEND: RNR_RETRY_EXC_ERR');
  });

  it('closes a phase under the name that it began with, and keeps the rows of a QP together', async () => {
    const phase = (t: number, edge: string, text: string): object => ({
      kind: 'phase',
      t,
      phase: edge,
      id: 'rdma-1-measured',
      transport: 'rdma',
      omit: false,
      text,
    });
    const qp = (qpn: number): object => ({
      kind: 'qp',
      endpoint: 'client',
      qpn,
      from: 'INIT',
      to: 'RTR',
      attrs: {},
    });
    const events = await traceOf(
      [
        phase(1, 'begin', 'RDMA is measured'),
        qp(17),
        qp(18),
        wr(5, 9),
        phase(20, 'end', 'RDMA was measured'),
        phase(30, 'end', 'nobody began it'),
      ].map(event),
    );
    expect(events.flatMap((e) => (e.ph === 'b' || e.ph === 'e' ? [[e.ph, e.name, e.id]] : []))).toEqual([
      ['b', 'RDMA is measured', 'rdma rdma-1-measured'],
      ['e', 'RDMA is measured', 'rdma rdma-1-measured'],
    ]);
    const named = new Map<number, string>();
    const places: [place: number, tid: number][] = [];
    for (const e of events) {
      if (e.ph !== 'M') continue;
      if (e.name === 'thread_name') named.set(e.tid, e.args.name);
      if (e.name === 'thread_sort_index') places.push([e.args.sort_index, e.tid]);
    }
    expect(places.toSorted(([a], [b]) => a - b).map(([, tid]) => named.get(tid))).toEqual([
      'QP 0x000011',
      'QP 0x000011 requests',
      'QP 0x000012',
    ]);
  });

  it('says which run of which host it is, what its time 0 is, and what did the NIC’s work', async () => {
    const opened = {
      kind: 'endpoint',
      endpoint: 'client',
      role: 'client',
      device: 'uroce0',
      providerClass: 'user-space',
      host: 'vm1',
    };
    const { otherData } = JSON.parse(await write('trace', [event(opened, 0)])) as { otherData: object };
    expect(otherData).toEqual({
      run: 'abcdefghij',
      lab: 'x',
      title: 'X',
      host: 'here',
      created: '1970-01-01T00:00:00.000Z',
      program: 'Verbs Lab 1.2.3',
    });
    const events = await traceOf([event(opened, 0)]);
    expect(events.at(-1)).toMatchObject({
      name: 'process_name',
      args: { name: 'client (uroce0 on vm1, user-space)' },
    });
  });
});
