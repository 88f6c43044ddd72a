/** Occupancy of queues from the device's samples: in the list of queues, the rings, the chart and the timeline. */
import type { EmittedEvent, ProviderClass, SampledQueue } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillReason, fillText } from '../src/model/machine/names';
import { machineModel } from '../src/model/machine/machine';
import { occupancyRows } from '../src/model/occupancy-rows';
import { queueList } from '../src/model/queue-list';
import { RunModel } from '../src/model/run-model';
import { held } from '../src/parts/timeline/model/area';
import { valuesAt } from '../src/parts/timeline/model/lines';
import { notSampled, queueTracks } from '../src/parts/timeline/tracks/queues';
import { record, Stream } from './stream';

const PID = 'pid 7';
const S = 1e9;

const made = (object: string, number: number, attrs: object): EmittedEvent =>
  ({ kind: 'object', endpoint: PID, phase: 'made', object, number, call: '', attrs, t: 0 }) as EmittedEvent;

/** A program with a QP and a CQ that ran at a provider; `state`: of its run. */
function program(
  samples: readonly [t: number, queues: SampledQueue[]][],
  {
    provider = 'user-space',
    state = 'running',
  }: { provider?: ProviderClass; state?: 'running' | 'done' } = {},
): RunModel {
  const run = new RunModel(record({ lab: 'program', state }));
  const stream = new Stream();
  const all: EmittedEvent[] = [
    {
      ...{
        kind: 'endpoint',
        role: PID,
        endpoint: PID,
        pid: 7,
        device: 'd',
        providerClass: provider,
        cpus: 2,
      },
    },
    made('context', 1, {}),
    made('PD', 1, {}),
    made('CQ', 1, { cqe: 64 }),
    made('QP', 17, { pd: 1, send_cq: 1, recv_cq: 1, max_send_wr: 16, max_recv_wr: 8 }),
    { kind: 'qp', endpoint: PID, qpn: 17, from: 'RESET', to: 'RTS', attrs: {}, t: 1 },
    ...samples.map(([t, queues]): EmittedEvent => ({
      kind: 'queues',
      endpoint: PID,
      t: t * S,
      queues,
      others: [],
    })),
  ];
  for (const event of all) run.event(stream.event(event));
  return run;
}

const sq = (used: number, more: Partial<SampledQueue> = {}): SampledQueue => ({
  ...{ kind: 'SQ', number: 17, used, size: 16, queued: used },
  ...more,
});
const cq = (used: number): SampledQueue => ({ kind: 'CQ', number: 1, used, size: 64 });

function rings(run: RunModel, at = Infinity) {
  const parts = machineModel(run, at).hosts[0]!.processes[0]!.parts;
  return Object.fromEntries(parts.flatMap((part) => part.rings.map((ring) => [ring.queue, ring])));
}

describe('the rings of a program', () => {
  it('have what the device sampled last, also while the program runs', () => {
    const run = program([
      [1, [sq(5), cq(3)]],
      [2, [sq(0), cq(0)]],
    ]);
    expect(fillText(rings(run, 1.5 * S)['SQ']!)).toBe('5 / 16');
    expect(fillText(rings(run, 1.5 * S)['CQ']!)).toBe('3 / 64');
    expect(fillText(rings(run, 2 * S)['SQ']!)).toBe('0 / 16');
    expect(fillReason(rings(run, 2 * S)['SQ']!)).toContain('latest sample');
  });

  it('are unknown before the first sample, and on a provider that reports none, with the reason', () => {
    const early = rings(program([]))['SQ']!;
    expect(early.fill).toEqual({ is: 'unknown', why: 'before' });
    const nic = rings(program([], { provider: 'hardware' }))['CQ']!;
    expect(nic.fill).toEqual({ is: 'unknown', why: 'provider' });
    expect(fillReason(nic)).toContain('does not report');
  });
});

describe('the list of queues', () => {
  it('begins with what waits, then with the fullest, and ends with what is not known', () => {
    const run = program([
      [1, [sq(1, { since: 1 * S }), cq(60)]],
      [9, [sq(1, { since: 1 * S }), cq(61)]],
    ]);
    const { rows } = queueList(run);
    expect(rows.map(({ name, waits, fill }) => `${name} ${waits} ${fill.is}`)).toEqual([
      'SQ 0x000011 true known',
      'CQ 1 false known',
      'RQ 0x000011 false unknown',
    ]);
  });

  it('of another provider has every queue as unknown', () => {
    const { rows, sampled } = queueList(program([], { provider: 'kernel' as ProviderClass }));
    expect(sampled).toBeNull();
    expect(rows.map(({ name, size, fill }) => [name, size, fill])).toEqual([
      ['CQ 1', 64, { is: 'unknown', why: 'provider' }],
      ['SQ 0x000011', 16, { is: 'unknown', why: 'provider' }],
      ['RQ 0x000011', 8, { is: 'unknown', why: 'provider' }],
    ]);
  });

  it('keeps the last known occupancy of a program that has destroyed its queues', () => {
    const run = program(
      [
        [1, [sq(5)]],
        [2, []],
      ],
      { state: 'done' },
    );
    const list = queueList(run);
    expect(list).toMatchObject({ over: true, sampled: 1 * S });
    expect(list.rows.map(({ fill }) => fill.is === 'known' && fill.used)).toEqual([5]);
  });
});

describe('the timeline', () => {
  it('has a track for each sampled queue, unknown before the first sample and after its end', () => {
    const run = program([
      [1, [sq(5)]],
      [2, [sq(9)]],
      [3, []],
    ]);
    const [track] = queueTracks(run);
    expect(track).toMatchObject({ title: 'SQ 0x000011, 16 entries', top: 9, group: PID });
    expect(valuesAt(track!, 0.5 * S)).toEqual([NaN]);
    expect(valuesAt(track!, 1.5 * S)).toEqual([5]);
    expect(valuesAt(track!, 4 * S)).toEqual([NaN]);
    expect(held(track!.lines[0]!, 0, 3 * S)).toEqual({ mean: 7, most: 9 });
  });

  it('draws no depth from a sample of requests where the device counted', () => {
    const qp = { endpoint: PID, qpn: 17, requests: [], caveat: null, sampled: true };
    expect(notSampled(program([[1, [sq(1)]]]), [qp])).toEqual([]);
    expect(notSampled(program([]), [qp])).toEqual([qp]);
  });
});

describe('the chart of a queue', () => {
  it('keeps the highest and the lowest value, however many changes there are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(16), { minLength: 1, maxLength: 6000 }), (values) => {
        const fills = values.map((used, i) => ({ t: i * 1e8, fill: sq(used) }));
        const rows = occupancyRows({ endpoint: PID, kind: 'SQ', number: 17, fills }, values.length * 1e8);
        expect(rows.length).toBeLessThanOrEqual(2_400);
        const used = rows.map((row) => row.used!);
        expect(Math.max(...used)).toBe(Math.max(...values));
        expect(Math.min(...used)).toBe(Math.min(...values));
        expect(used.at(-1)).toBe(values.at(-1));
        expect(rows.at(-1)!.t).toBeCloseTo(values.length / 10, 6);
      }),
      { numRuns: 30 },
    );
  });
});
