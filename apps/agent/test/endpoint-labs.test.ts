import {
  AppError,
  decodeCompletions,
  decodeHistogram,
  decodePackets,
  decodeSeries,
  LatencyHistogram,
  type RunRecord,
} from '@verbslab/protocol';
import { bulk, minimalFlow, MINIMAL_FLOW_STEPS } from '@verbslab/labs';
import { afterEach, describe, expect, it } from 'vitest';
import { digits, report } from '../src/cli/report.js';
import { alive, eventually, startLab, type LabRun, type LabRunOptions } from './endpoint-harness.js';
import { expectTimesOfPackets } from './helpers/request-times.js';
import { slowness } from './helpers/slowness.js';

const runs: LabRun[] = [];

async function start(lab: Parameters<typeof startLab>[0], options: LabRunOptions = {}): Promise<LabRun> {
  const run = await startLab(lab, options);
  runs.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
});

const failed = ({ checks }: LabRun) => checks.filter(({ ok }) => !ok);
/** A busy machine posts the receives of SENDs late, and answers with RNR NAKs: then much is sent again. */
const failedButForRnr = (run: LabRun) =>
  failed(run).filter(({ id, detail }) => id !== 'recovery' || !detail.includes('RNR NAK'));

describe('the minimal flow', () => {
  it.each([1, 1000, 3000, 65_536])('holds with %i bytes, with the times of their packets', async (size) => {
    const run = await start(minimalFlow, { params: { size } });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(run.checks.map(({ id }) => id).sort()).toEqual(
      minimalFlow.description.checks.map(({ id }) => id).sort(),
    );
    expect(run.steps).toEqual(MINIMAL_FLOW_STEPS.map(({ id }) => id));
    const packets = run.recording.frames.filter(({ header }) => header.kind === 'packets');
    const events = run.recording.events.filter(({ endpoint }) => endpoint === 'client');
    expect(
      expectTimesOfPackets(
        events,
        packets.flatMap(({ frame }) => decodePackets(frame)),
      ),
    ).toBe(2);
  });

  it('shows every call where it belongs', async () => {
    const run = await start(minimalFlow);
    await run.finished;
    const { events } = run.recording;
    const during = (step: string, endpoint: string): string[] => {
      const begin = events.findIndex((e) => e.kind === 'step' && e.id === step && e.phase === 'begin');
      const end = events.findIndex((e) => e.kind === 'step' && e.id === step && e.phase === 'end');
      return events
        .slice(begin, end)
        .flatMap((e) => (e.kind === 'verb' && e.endpoint === endpoint ? [e.call] : []));
    };
    expect(during('device', 'client')).toContain('ibv_open_device');
    expect(during('memory', 'server')).toEqual(['ibv_alloc_pd', 'ibv_reg_mr']);
    expect(during('queues', 'client')).toEqual(['ibv_create_cq', 'ibv_create_qp']);
    expect(during('init', 'server')).toEqual(['ibv_modify_qp']);
    expect(during('write', 'client')).toEqual(['ibv_post_send', 'ibv_poll_cq']);
    expect(during('write', 'server')).toEqual([]);
    expect(during('read', 'server')).toEqual([]);
    expect(during('teardown', 'client')).toEqual([
      'ibv_destroy_qp',
      'ibv_destroy_cq',
      'ibv_dereg_mr',
      'ibv_dealloc_pd',
    ]);
    const masks = run.recording
      .of('verb', 'client')
      .filter(({ call }) => call === 'ibv_modify_qp')
      .map(({ args }) => /\((0x[0-9a-f]+)\)$/.exec(args.attr_mask as string)?.[1]);
    expect(masks).toEqual(['0x39', '0x129181', '0x12e01']);
    const states = run.recording.of('qp', 'server').map(({ from, to }) => `${from} ${to}`);
    expect(states).toEqual(['RESET RESET', 'RESET INIT', 'INIT RTR', 'RTR RTS']);
    const server = run.recording.of('exchange').find(({ from }) => from === 'server');
    expect(server?.record).toMatch(/^[0-9a-f]{24}$/);
    expect(BigInt(`0x${server!.record!.slice(0, 16)}`).toString(16)).toBe(
      (server!.values.addr as string).slice(2),
    );
    expect(run.recording.of('completion', 'client').map(({ wc }) => wc.opcode)).toEqual([
      'RDMA_WRITE',
      'RDMA_READ',
    ]);
    expect(run.recording.of('completion', 'server')).toEqual([]);
    expect(run.recording.of('wr', 'client').map(({ opcode }) => opcode)).toEqual(['RDMA_WRITE', 'RDMA_READ']);
  });

  it('sends the packets of a step within the step, both directions once', async () => {
    const run = await start(minimalFlow);
    await run.finished;
    const { events, frames } = run.recording;
    expect(new Set(frames.map(({ endpoint, header }) => `${endpoint} ${header.kind}`))).toEqual(
      new Set(['client packets']),
    );
    // A step may need more than one frame; each frame lies within one of the two steps that send.
    const sending = (['write', 'read'] as const).map((step) => {
      const edge = (phase: 'begin' | 'end'): number =>
        events.findIndex((e) => e.kind === 'step' && e.id === step && e.phase === phase);
      return frames.filter(({ after }) => after > edge('begin') && after <= edge('end'));
    });
    for (const within of sending) expect(within.length).toBeGreaterThan(0);
    expect(sending.flat()).toEqual(frames);
    const packets = frames.flatMap(({ frame }) => decodePackets(frame));
    const first = packets[0]?.tapSeq ?? 0;
    expect(packets.map(({ tapSeq }) => tapSeq)).toEqual([...packets.keys()].map((n) => n + first));
    expect(new Set(packets.map(({ direction }) => direction))).toEqual(new Set(['sent', 'received']));
    for (const { bytes, origLen } of packets) expect(bytes.length).toBe(origLen);
  });

  it('waits for its turn before each step', async () => {
    const asked: string[] = [];
    let go = (): void => undefined;
    const run = await start(minimalFlow, {
      gate: (step) => {
        asked.push(step);
        return new Promise((resolve) => (go = resolve));
      },
    });
    for (const [index, { id }] of MINIMAL_FLOW_STEPS.entries()) {
      await eventually(`step ${id} is asked for`, () => asked.length === index + 1);
      expect(asked.at(-1)).toBe(id);
      expect(run.steps).not.toContain(id);
      go();
    }
    await run.finished;
    expect(failed(run)).toEqual([]);
  });

  it('ends with a sentence when the server dies between two steps', async () => {
    const run = await start(minimalFlow, {
      gate: async (step) => {
        if (step !== 'read') return;
        const { server } = run.endpoints;
        server?.kill();
        await server?.exited;
      },
    });
    const error = await run.finished.then(
      () => null,
      (reason: unknown) => reason as AppError,
    );
    expect(error).toBeInstanceOf(AppError);
    // The READ gets no answer: eight tries, then the QP is in ERR.
    expect(error?.code).toBe('COMPLETION');
    expect(error?.message).toContain('RETRY_EXC_ERR');
    expect(error?.info.cure).not.toBe('');
  });
});

const SHORT = { duration: 0.5, omit: 0.2, repeat: 1 };

describe('bulk', () => {
  it('compares RDMA over each link and TCP, in turn', async () => {
    const run = await start(bulk, { params: SHORT });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(run.checks.map(({ id }) => id).sort()).toEqual(bulk.description.checks.map(({ id }) => id).sort());
    for (const transport of ['rdma', 'shm', 'tcp'] as const) {
      const result = run.transports[transport];
      expect(result?.goodputGbps, transport).toBeGreaterThan(0.1);
      expect(result?.messagesPerSecond).toBeGreaterThan(10);
      expect(result?.seconds).toBeGreaterThan(0.4);
      const { n = 0, min, p50, p90, p99, p999, max } = result!.latencyUs!;
      for (const [value, needed] of [
        [p50, 20],
        [p90, 100],
        [p99, 1000],
        [p999, 10_000],
      ] as const)
        expect(value === null).toBe(n < needed);
      const stated = [min, p50, p90, p99, p999, max].filter((value) => value !== null);
      expect(stated).toEqual([...stated].sort((a, b) => a - b));
      if (transport !== 'shm') expect(result?.cpuSecondsPerGB?.kernel).toBeGreaterThan(0);
    }
    expect(run.transports.rdma?.cpuSecondsPerGB?.nic).toBeGreaterThan(0);
    expect(run.transports.tcp?.cpuSecondsPerGB?.nic).toBe(0);
    const said = run.recording.of('note').map(({ text }) => text);
    expect(said.filter((text) => text.startsWith('The client polls'))).toHaveLength(1);
    expect(run.recording.of('source').map(({ label }) => label)).toEqual([
      'RDMA over UDP at the client',
      'RDMA over UDP at the server',
      'RDMA over shared memory at the client',
      'RDMA over shared memory at the server',
      'TCP at the client',
      'TCP at the server',
      'Packets at the client',
    ]);
  });

  it('measures in alternating rounds and gives medians with their spread', async () => {
    const run = await start(bulk, { params: { duration: 0.8, omit: 0.1, repeat: 3, operation: 'send' } });
    await run.finished;
    expect(failedButForRnr(run)).toEqual([]);
    const measured = run.recording
      .of('phase')
      .filter(({ phase, id }) => phase === 'begin' && id.endsWith('-measured'));
    expect(measured.map(({ id }) => id)).toEqual(
      [1, 2, 3].flatMap((round) => [
        `rdma-${round}-measured`,
        `shm-${round}-measured`,
        `tcp-${round}-measured`,
      ]),
    );
    for (const result of Object.values(run.transports)) {
      const goodputs = result.rounds!.map(({ goodputGbps }) => goodputGbps).sort((a, b) => a - b);
      expect(goodputs).toHaveLength(3);
      expect(result.goodputGbps).toBe(goodputs[1]);
      expect(result.spread?.goodputGbps).toEqual({ min: goodputs[0], max: goodputs[2] });
      expect(result.bytes).toBe(result.rounds!.reduce((sum, { bytes }) => sum + bytes, 0));
      // The time is divided among them; a round ends late on a busy machine.
      for (const round of result.rounds!) expect(round.seconds).toBeLessThan(0.8 * slowness());
    }
    expect(run.answer).toContain('3 rounds');
  });

  it('states the same percentiles in the record, the histogram frames and the report', async () => {
    const run = await start(bulk, { params: { ...SHORT, repeat: 2, size: 4096, capturePackets: 0 } });
    await run.finished;
    for (const transport of ['rdma', 'shm', 'tcp'] as const) {
      const sources = run.recording
        .of('source')
        .filter((one) => one.role === 'client' && one.transport === transport)
        .map(({ source }) => source);
      const totals = run.recording.frames.filter(
        ({ header: { kind, source, flags } }) =>
          kind === 'histogram' && sources.includes(source) && (flags & 8) !== 0,
      );
      expect(totals).toHaveLength(2);
      const sum = new LatencyHistogram();
      for (const { frame } of totals) sum.add(LatencyHistogram.decode(decodeHistogram(frame)));
      expect(run.transports[transport]?.latencyUs).toEqual(sum.us());
    }
    const text = report(
      { title: 'bulk', startedAt: null, endedAt: null, capture: null, droppedRecords: 0 } as RunRecord,
      {
        ...{ lab: 'bulk', state: 'done', provider: null, device: null, parameters: {}, checks: [] },
        ...{ captureFile: null, transports: run.transports },
      },
    );
    const { n, p50, p99 } = run.transports.rdma!.latencyUs!;
    const row = text.split('\n').find((line) => line.startsWith('RDMA/UDP '))!;
    expect(row.trim().split(/ +/).slice(7, 10)).toEqual([String(n), digits(p50!), digits(p99!)]);
  });

  it('streams series, histograms and every completion', async () => {
    const run = await start(bulk, { params: { ...SHORT, transport: 'rdma', capturePackets: 0 } });
    await run.finished;
    const { frames } = run.recording;
    const source = run.recording.of('source').find(({ role }) => role === 'client')?.source;
    const series = frames
      .filter(({ header }) => header.kind === 'series' && header.source === source)
      .flatMap(({ frame }) => decodeSeries(frame));
    // Half a second has five intervals; a busy machine may merge some.
    expect(series.length).toBeGreaterThan(0);
    const times = series.map(({ t }) => t);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(series.some(({ nicNs }) => nicNs > 0)).toBe(true);
    const totals = frames.filter(({ header }) => header.kind === 'histogram' && (header.flags & 8) !== 0);
    expect(totals.map(({ header }) => header.source)).toContain(source);
    const completions = frames.filter(({ header }) => header.kind === 'completions');
    expect(completions.reduce((sum, { header }) => sum + header.dropped, 0)).toBe(0);
    const ids = completions.flatMap(({ frame }) => [...decodeCompletions(frame).wrId]);
    // Every 16th request is signaled, and no completion is missing.
    expect(ids.slice(1).every((id, index) => id - (ids[index] ?? 0) === 16)).toBe(true);
    const messages = run.transports.rdma?.messages ?? 0;
    expect(ids.length * 16).toBeGreaterThanOrEqual(messages);
  });

  it('shows the counters of both sides move while RDMA runs', async () => {
    const run = await start(bulk, {
      params: { duration: 1.2, repeat: 1, omit: 0, transport: 'rdma', capturePackets: 0 },
    });
    await run.finished;
    for (const [endpoint, counter] of [
      ['client', 'sent_pkts'],
      ['server', 'rcvd_pkts'],
    ] as const) {
      const counters = run.recording.of('counter', endpoint);
      expect(counters.map(({ when }) => when)).toEqual([
        'before',
        ...Array.from({ length: counters.length - 2 }, () => 'sample'),
        'after',
      ]);
      expect(counters.length).toBeGreaterThanOrEqual(3);
      const counts = counters.map(({ values }) => values[counter] ?? 0);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
    }
  });

  it.each([
    ['both at once', { transport: 'both-at-once' }],
    ['events', { completionMode: 'event' }],
    ['READ', { operation: 'read' }],
    ['SEND', { operation: 'send' }],
    ['small odd messages', { size: 100, memory: 10_000, signalEvery: 64, depth: 64 }],
    ['a single request at a time', { depth: 1, signalEvery: 1, size: 4096, memory: 4096 }],
  ])('holds with %s', async (_, params) => {
    const run = await start(bulk, { params: { ...SHORT, ...params } });
    await run.finished;
    expect('operation' in params && params.operation === 'send' ? failedButForRnr(run) : failed(run)).toEqual(
      [],
    );
  });

  it('ends both sides when the target is killed in the middle', async () => {
    const run = await start(bulk, { params: { transport: 'rdma', duration: 30, omit: 0 } });
    const { client, server } = run.endpoints;
    if (!client || !server) throw new Error('no endpoints');
    await eventually('it runs', () => run.recording.frames.length > 2);
    process.kill(server.pid, 'SIGKILL');
    const error = await run.finished.then(
      () => null,
      (reason: unknown) => reason as AppError,
    );
    expect(error).toBeInstanceOf(AppError);
    expect(['ENDPOINT_DIED', 'COMPLETION']).toContain(error?.code);
    await run.close();
    expect(alive(client.pid)).toBe(false);
    expect(await client.exited).toMatchObject({ code: 0, signal: null });
  });

  it('can be closed in the middle, and leaves nothing', async () => {
    const run = await start(bulk, { params: { duration: 30 } });
    await eventually('it runs', () => run.recording.frames.length > 2);
    const begin = performance.now();
    await Promise.all(Object.values(run.endpoints).map((endpoint) => endpoint.close(150)));
    // The end comes long before that of the measurement.
    expect(performance.now() - begin).toBeLessThan(15_000);
    await expect(run.finished).rejects.toBeInstanceOf(AppError);
    for (const { pid } of Object.values(run.endpoints)) expect(alive(pid)).toBe(false);
  });

  it('needs no RDMA for TCP alone', async () => {
    const run = await start(bulk, { params: { ...SHORT, transport: 'tcp' } });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(Object.keys(run.transports)).toEqual(['tcp']);
    expect(run.recording.calls()).not.toContain('ibv_create_qp');
  });
});
