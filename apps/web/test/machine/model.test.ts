import type { EmittedEvent } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill, Ring } from '../../src/model/machine/queue-fill';
import { machineModel, machineTime, type Machine, type MachinePart } from '../../src/model/machine/machine';
import { unknownTexts } from '../../src/model/machine/names';
import { RunModel } from '../../src/model/run-model';
import { interval, record, Stream } from '../stream';
import { events, recorded } from './recorded';

const parts = (machine: Machine): MachinePart[] =>
  machine.hosts.flatMap(({ processes }) => processes.flatMap((one) => [...one.parts]));
const part = (machine: Machine, endpoint: string, kind: string): MachinePart =>
  parts(machine).find((one) => one.endpoint === endpoint && one.kind === kind)!;
const ring = (one: MachinePart, queue: Ring['queue']): Ring =>
  one.rings.find((each) => each.queue === queue)!;
const said = ({ capacity, fill }: Ring): string =>
  `${fill.is === 'unknown' ? fill.why : `${fill.is} ${fill.count}`}/${capacity}`;

describe('what is said of fill levels that are not known', () => {
  it('is each reason once, with the queues that it holds for', () => {
    const unknown = (queue: Ring['queue'], why: 'loop' | 'no-time' | 'shared'): Ring => ({
      ...{ queue, capacity: 4 },
      fill: { is: 'unknown', why },
    });
    const texts = unknownTexts([
      unknown('SQ', 'loop'),
      unknown('RQ', 'loop'),
      unknown('SQ', 'loop'),
      unknown('CQ', 'no-time'),
      unknown('RQ', 'shared'),
      { queue: 'SQ', capacity: 4, fill: { is: 'atMost', count: 1 } },
    ]);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^\? \(SQ, RQ\): A measuring loop posts/);
    expect(texts[1]).toMatch(/^\? \(CQ\): The record does not say when/);
  });
});

describe('the machine of a step-by-step lab', () => {
  const run = recorded('minimal-flow');
  const seqOf = (test: (e: ReturnType<typeof events>[number]) => boolean) =>
    events('minimal-flow').find(test)!;
  const post = seqOf((e) => e.kind === 'verb' && e.call === 'ibv_post_send').t;
  const life = seqOf((e) => e.kind === 'wr') as Extract<EmittedEvent, { kind: 'wr' }>;

  it('has each object with its number, parent and queues', () => {
    const machine = machineModel(run, post);
    expect(machine.hosts).toHaveLength(1);
    expect(
      parts(machine)
        .filter(({ endpoint }) => endpoint === 'client')
        .map(({ kind, number, parent }) => [kind, number, /(context|PD)/.exec(parent ?? '')?.[0]]),
    ).toEqual([
      ['context', null, undefined],
      ['PD', 1, 'context'],
      ['MR', 0x592c16d8, 'PD'],
      ['CQ', 3, 'context'],
      ['QP', 7578, 'PD'],
    ]);
    const qp = part(machine, 'client', 'QP');
    expect(qp).toMatchObject({ state: 'RTS', sendCq: part(machine, 'client', 'CQ').id, gone: false });
    expect(qp.peer).toBe(part(machine, 'server', 'QP').id);
    expect(machine.wires).toEqual([{ ends: ['client', 'server'], qps: 1 }]);
    expect(machine.links).toEqual(['shm']);
  });

  it('fills and empties the rings as the stamps of the request say', () => {
    const at = (t: number) => {
      const machine = machineModel(run, t);
      return [
        said(ring(part(machine, 'client', 'QP'), 'SQ')),
        said(ring(part(machine, 'client', 'CQ'), 'CQ')),
      ];
    };
    expect(at(life.posted - 1)).toEqual(['exact 0/16', 'exact 0/16']);
    expect(at(life.posted)).toEqual(['exact 1/16', 'exact 0/16']);
    expect(at(life.cqe! - 1)).toEqual(['exact 1/16', 'exact 0/16']);
    expect(at(life.cqe!)).toEqual(['exact 0/16', 'exact 1/16']);
    expect(at(life.polled! - 1)).toEqual(['exact 0/16', 'exact 1/16']);
    expect(at(life.polled!)).toEqual(['exact 0/16', 'exact 0/16']);
  });

  it('leaves the target’s rings alone', () => {
    const machine = machineModel(run, life.cqe!);
    expect(said(ring(part(machine, 'server', 'QP'), 'SQ'))).toBe('exact 0/16');
    expect(said(ring(part(machine, 'server', 'QP'), 'RQ'))).toBe('exact 0/16');
    expect(said(ring(part(machine, 'server', 'CQ'), 'CQ'))).toBe('exact 0/16');
  });

  it('goes back to a time before an object was made, and on to one after it was destroyed', () => {
    const made = part(machineModel(run, post), 'server', 'QP').madeAt;
    expect(part(machineModel(run, made - 1), 'server', 'QP')).toBeUndefined();
    expect(part(machineModel(run, made), 'server', 'QP').state).toBeNull();
    expect(parts(machineModel(run))).toEqual([]);
    expect(parts(machineModel(run, machineTime(run).telling))).toHaveLength(10);
  });

  it('keeps what a window destroyed, and says so', () => {
    const begin = seqOf((e) => e.kind === 'step' && e.id === 'teardown').t;
    const gone = parts(machineModel(run, Infinity, begin)).map(({ kind, gone }) => [kind, gone]);
    expect(gone).toContainEqual(['QP', true]);
    expect(gone).toHaveLength(10);
  });

  it('grows with the run', () => {
    for (let n = 1; n < 110; n += 7) {
      const some = recorded('minimal-flow', {}, n);
      const whole = parts(machineModel(run, machineModel(some).at)).map(({ id }) => id);
      expect(parts(machineModel(some)).map(({ id }) => id)).toEqual(whole);
    }
  });
});

describe('the machine of a lab with a shared receive queue', () => {
  const run = recorded('srq');
  const list = events('srq');
  const srqAt = (t: number) => said(ring(part(machineModel(run, t), 'server', 'SRQ'), 'SRQ'));

  it('has one process for each endpoint, and what connects them', () => {
    const machine = machineModel(run, machineTime(run).telling);
    expect(machine.hosts[0]!.processes).toHaveLength(5);
    expect(machine.wires.map(({ ends, qps }) => [ends.join(), qps]).sort()).toEqual([
      ['client-1,server', 1],
      ['client-2,server', 1],
      ['client-3,server', 1],
      ['client-4,server', 1],
    ]);
  });

  it('counts receives from their posting to the poll that found them', () => {
    const posts = list.filter((e) => e.kind === 'verb' && e.call === 'ibv_post_srq_recv');
    expect(srqAt(posts[0]!.t - 1)).toBe('exact 0/8');
    expect(srqAt(posts[3]!.t)).toBe('exact 4/8');
    expect(srqAt(posts[7]!.t)).toBe('exact 8/8');
    const first = list.findIndex((e) => e.kind === 'completion' && e.wc.opcode === 'RECV');
    expect(srqAt(list[first]!.t)).toBe('exact 7/8');
    expect(srqAt(list[first + 7]!.t)).toBe('exact 0/8');
  });

  it('says no more of a completion queue than the record does', () => {
    const eighth = list.filter((e) => e.kind === 'verb' && e.call === 'ibv_post_srq_recv')[7]!;
    expect(said(ring(part(machineModel(run, eighth.t), 'server', 'CQ'), 'CQ'))).toBe('atMost 8/16');
    expect(said(ring(part(machineModel(run, eighth.t), 'server', 'QP'), 'RQ'))).toBe('shared/128');
  });
});

describe('the machine of a program', () => {
  const run = recorded('pingpong');
  const lives = events('pingpong').filter((e) => e.kind === 'wr');

  it('has the objects with their parents', () => {
    const machine = machineModel(run, machineTime(run).telling);
    const all = parts(machine);
    expect(all.map(({ kind }) => kind)).toEqual(['context', 'PD', 'MR', 'CQ', 'QP']);
    const qp = all.at(-1)!;
    expect(qp).toMatchObject({ state: 'RTS', parent: all[1]!.id, sendCq: all[3]!.id, peer: null });
    expect(said(ring(qp, 'SQ'))).toBe('exact 0/1');
    expect(said(ring(qp, 'RQ'))).toBe('receives/500');
    expect(said(ring(all[3]!, 'CQ'))).toBe('no-time/501');
  });

  it('shows a send between its posting and its CQE, when all sends have a timeline', () => {
    const { posted, cqe } = lives[3] as Extract<EmittedEvent, { kind: 'wr' }>;
    const sq = (of: RunModel, t: number) => said(ring(parts(machineModel(of, t)).at(-1)!, 'SQ'));
    expect(sq(run, posted)).toBe('exact 1/1');
    expect(sq(run, cqe!)).toBe('exact 0/1');
    expect(sq(recorded('pingpong', { state: 'running' }), posted)).toBe('before/1');
    const some = new RunModel(record({ lab: 'program', state: 'done' }));
    for (const e of events('pingpong')) if (e.seq !== lives[5]!.seq) some.event(e);
    expect(sq(some, posted)).toBe('sampled/1');
  });
});

const QP_CAP = { max_send_wr: 8, max_recv_wr: 8 };
const verb = (call: string, args: object, t: number, result?: object): EmittedEvent =>
  ({
    kind: 'verb',
    endpoint: 'client',
    call,
    args,
    durationNs: 0,
    t,
    ...(result ? { result } : {}),
  }) as EmittedEvent;

const made = (): EmittedEvent[] => [
  verb('ibv_open_device', { device: 'uroce0' }, 0),
  verb('ibv_alloc_pd', { context: 'uroce0' }, 1),
  verb('ibv_create_cq', { context: 'uroce0', cqe: 16 }, 2, { cqe: 16 }),
  verb(
    'ibv_create_qp',
    { pd: 'PD 1', qp_init_attr: { qp_type: 'RC', send_cq: 'CQ 2', recv_cq: 'CQ 2', cap: QP_CAP } },
    3,
    { qp_num: 17 },
  ),
  ...(['INIT', 'RTR', 'RTS'] as const).map((to, i): EmittedEvent => ({
    ...{ kind: 'qp', endpoint: 'client', qpn: 17, to, attrs: {}, t: 4 + i },
    from: (['RESET', 'INIT', 'RTR'] as const)[i]!,
  })),
];

function lab(list: readonly EmittedEvent[], frames: (s: Stream) => Uint8Array[] = () => []): RunModel {
  const run = new RunModel(record({ lab: 'bulk' }));
  const stream = new Stream();
  for (const event of [...made(), ...list]) run.event(stream.event(event));
  for (const frame of frames(stream)) run.frame(frame);
  return run;
}

describe('rings, whatever a lab posts and polls', () => {
  const step = fc.oneof(
    fc.record({
      what: fc.constantFrom('send', 'recv'),
      signaled: fc.boolean(),
      wrId: fc.integer({ min: 0, max: 3 }),
      burst: fc.integer({ min: 1, max: 12 }),
    }),
    fc.record({
      what: fc.constantFrom('poll-send', 'poll-recv'),
      status: fc.constantFrom(0, 0, 5, 12),
      wrId: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({ what: fc.constantFrom('reset', 'destroy') }),
  );

  const toEvents = (steps: readonly Record<string, unknown>[]): EmittedEvent[] =>
    steps.map(({ what, wrId, signaled, burst, status }, i) => {
      const t = 10 * (i + 1);
      const qp = 'QP 17';
      if (what === 'send' || what === 'recv') {
        const wr = { wr_id: wrId, opcode: 'SEND', send_flags: signaled ? ['SIGNALED'] : [], sg_list: [] };
        return verb(`ibv_post_${what}`, { qp, wr: Array.from({ length: burst as number }, () => wr) }, t);
      }
      if (what === 'reset')
        return { kind: 'qp', endpoint: 'client', qpn: 17, from: 'RTS', to: 'RESET', attrs: {}, t };
      if (what === 'destroy') return verb('ibv_destroy_qp', { qp }, t);
      const opcode = what === 'poll-recv' ? 'RECV' : 'SEND';
      const wc = { wrId, status, statusName: '', opcode, byteLen: 0, qpn: 17 };
      return { kind: 'completion', endpoint: 'client', wc, t } as EmittedEvent;
    });

  it('are never filled below 0 or beyond what they hold', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 500 }), (steps, at) => {
        for (const one of parts(machineModel(lab(toEvents(steps)), at)))
          for (const { capacity, fill } of one.rings) {
            if (fill.is === 'unknown') continue;
            expect(fill.count).toBeGreaterThanOrEqual(0);
            expect(fill.count).toBeLessThanOrEqual(capacity!);
          }
      }),
    );
  });

  it('are empty once all that was posted is polled', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 8 }), (signals) => {
        const posts = signals.map((signaled) => ({ what: 'send', signaled, wrId: 1, burst: 1 }));
        const polls = signals.filter(Boolean).map(() => ({ what: 'poll-send', status: 0, wrId: 1 }));
        const last = { what: 'send', signaled: true, wrId: 2, burst: 1 };
        const run = lab(toEvents([...posts, last, ...polls, { what: 'poll-send', status: 0, wrId: 2 }]));
        const all = parts(machineModel(run));
        expect(
          said(
            ring(
              all.find(({ kind }) => kind === 'QP')!,
              'SQ',
            ),
          ),
        ).toBe('exact 0/8');
        expect(
          said(
            ring(
              all.find(({ kind }) => kind === 'CQ')!,
              'CQ',
            ),
          ),
        ).toBe('exact 0/16');
      }),
    );
  });
});

describe('the machine of a measuring lab', () => {
  const source: EmittedEvent = {
    ...{ kind: 'source', source: 1, transport: 'rdma', role: 'client', what: 'loop', label: 'loop' },
    ...{ endpoint: 'client', t: 90 },
  };
  const series = (stream: Stream, latencyMeanNs: number, flags = 0) =>
    stream.series(1, [interval({ t: 100e6 + 100, messages: 1000, bytes: 4096e3, latencyMeanNs })], flags);
  const sq = (run: RunModel, t: number): Fill =>
    ring(
      parts(machineModel(run, t)).find(({ kind }) => kind === 'QP')!,
      'SQ',
    ).fill;

  it('takes the mean number of requests from rate and latency, and caps it at what the queue holds', () => {
    const run = lab([source], (stream) => [series(stream, 400e3)]);
    // The completions say which QP the loop drives.
    run.setCompletions({ ...run.completions, qpns: new Map([[1, [17]]]) }, 0);
    expect(sq(run, 50e6)).toEqual({ is: 'mean', count: 4 });
    const [process] = machineModel(run, 50e6).hosts[0]!.processes;
    expect(process!.rates).toMatchObject([{ transport: 'rdma', messages: 10_000, gbps: 0.32768, way: null }]);
    const full = lab([source], (stream) => [series(stream, 4e6)]);
    full.setCompletions({ ...full.completions, qpns: new Map([[1, [17]]]) }, 0);
    expect(sq(full, 50e6)).toEqual({ is: 'mean', count: 8 });
  });

  it('of a finished run shows its objects, also where the only sample came after they were gone', () => {
    const run = lab([source, verb('ibv_destroy_qp', { qp: 'QP 17' }, 50e6)], (stream) => [
      series(stream, 400e3),
    ]);
    run.setCompletions({ ...run.completions, qpns: new Map([[1, [17]]]) }, 0);
    const at = machineTime(run).telling;
    expect(at).toBeLessThan(50e6);
    expect(parts(machineModel(run, at)).map(({ kind }) => kind)).toContain('QP');
  });

  it('says which end sends and which receives, also of a target that posts nothing', () => {
    const target: EmittedEvent = {
      ...{ kind: 'source', source: 2, transport: 'rdma', role: 'server', what: 'loop', label: 'loop' },
      ...{ endpoint: 'server', t: 90 },
    };
    const rates = (operation: string) => {
      const server: EmittedEvent = {
        ...{ kind: 'endpoint', role: 'server', device: 'uroce0', providerClass: 'user-space' },
      };
      const run = lab([server, source, target], (stream) => [
        series(stream, 400e3),
        stream.series(2, [interval({ t: 100e6 + 100 })]),
      ]);
      run.setRecord({ ...run.record, parameters: { operation } });
      const processes = machineModel(run, 50e6).hosts.flatMap((host) => [...host.processes]);
      return Object.fromEntries(processes.map((one) => [one.endpoint, one.rates[0]]));
    };
    const moved = { messages: 10_000, gbps: 0.32768, of: 'client' };
    expect(rates('write')).toMatchObject({
      client: { ...moved, way: 'sent' },
      server: { ...moved, way: 'received' },
    });
    expect(rates('read')).toMatchObject({
      client: { ...moved, way: 'received' },
      server: { ...moved, way: 'sent' },
    });
    // Without a known operation an end says only what it counted itself.
    expect(rates('swap')).toMatchObject({ server: { messages: 0, of: 'server', way: null } });
  });

  it('says of a process of a program what it completed, for its peer may have received it', () => {
    const process: EmittedEvent = { ...source, role: 'process' };
    const run = lab([process], (stream) => [series(stream, 400e3)]);
    const ends = machineModel(run, 50e6).hosts.flatMap((host) =>
      host.processes.flatMap(({ rates }) => rates),
    );
    expect(ends).toMatchObject([{ of: 'client', messages: 10_000, way: 'completed' }]);
  });

  it('knows nothing where the record has nothing: not of a loop’s QP, not after the loop, not of several QPs', () => {
    const run = lab([source], (stream) => [series(stream, 400e3, 1)]);
    expect(sq(run, 50e6)).toEqual({ is: 'unknown', why: 'loop' });
    run.setCompletions({ ...run.completions, qpns: new Map([[1, [17]]]) }, 0);
    expect(sq(run, 200e6)).toMatchObject({ is: 'mean' });
    run.setCompletions({ ...run.completions, qpns: new Map([[1, [17, 18]]]) }, 0);
    expect(sq(run, 50e6)).toEqual({ is: 'unknown', why: 'loops' });
    // Before the loop the calls are all there is, and none was recorded.
    expect(sq(lab([]), 50)).toEqual({ is: 'unknown', why: 'no-posts' });
    expect(sq(lab([]), 4)).toEqual({ is: 'exact', count: 0, basis: 'state' });
  });
});
