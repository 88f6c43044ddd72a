import { renderToStaticMarkup } from 'react-dom/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineModel, type MachinePart } from '../src/model/machine/machine';
import type { Fill } from '../src/model/machine/queue-fill';
import { RunModel } from '../src/model/run-model';
import { mostQps } from '../src/model/strips/most-qps';
import { MANY_QPS, MOST_COLUMNS, qpStripsAt, stripsOf, STRIP_QUEUES } from '../src/model/strips/qp-strips';
import { wireRatesAt } from '../src/model/strips/wire-rates';
import { StripsPicture } from '../src/parts/strips/strips-picture';
import { qpsWords } from '../src/parts/strips/strips-words';
import { recorded } from './machine/recorded';
import { record, Stream } from './stream';

const CAPACITY = 16;
const fill = (count: number | null): Fill =>
  count === null ? { is: 'unknown', why: 'loop' } : { is: 'exact', count, basis: 'calls' };

interface Plan {
  state: 'RTS' | 'ERR';
  sq: number | null;
}

function partsOf(plan: readonly Plan[]): MachinePart[] {
  return plan.map(({ state, sq }, i) => ({
    ...{ id: `qp${i}`, endpoint: 'client', kind: 'QP', number: i, parent: null, sendCq: null, recvCq: null },
    ...{ srq: null, call: 'ibv_create_qp', attrs: {}, connection: {}, madeAt: 0, goneAt: null, states: [] },
    ...{ state, gone: false, fresh: false, peer: null },
    rings: [{ queue: 'SQ', capacity: CAPACITY, fill: fill(sq) }],
  }));
}

const plans = (min: number, max: number) =>
  fc.array(
    fc.record({
      state: fc.constantFrom('RTS' as const, 'RTS' as const, 'RTS' as const, 'ERR' as const),
      sq: fc.option(fc.nat({ max: CAPACITY })),
    }),
    { minLength: min, maxLength: max },
  );

describe('the strips of an endpoint', () => {
  it('have each QP in one column, the fullest of a group, and nothing that is not recorded', () => {
    fc.assert(
      fc.property(plans(MANY_QPS, 400), (plan) => {
        const shown = stripsOf({ endpoint: 'client', parts: partsOf(plan) })!;
        for (const { queue, columns } of shown.strips) {
          expect(columns.length).toBeLessThanOrEqual(MOST_COLUMNS);
          expect(columns.reduce((sum, { qps }) => sum + qps, 0)).toBe(plan.length);
          for (const { first, qps, fill: drawn, failed } of columns) {
            const own = plan.slice(first, first + qps);
            const known = queue === 'SQ' ? own.flatMap(({ sq }) => sq ?? []) : [];
            expect(drawn).toBe(known.length === 0 ? null : Math.max(...known) / CAPACITY);
            expect(failed).toBe(own.some(({ state }) => state === 'ERR'));
          }
        }
      }),
    );
  });

  it('name only QPs that differ from most, and count the others', () => {
    fc.assert(
      fc.property(plans(MANY_QPS, 200), (plan) => {
        const shown = stripsOf({ endpoint: 'client', parts: partsOf(plan) })!;
        expect(shown.alike + shown.odd.length + shown.oddMore).toBe(shown.qps);
        for (const { qpn, why } of shown.odd) {
          const { state, sq } = plan[qpn!]!;
          expect(why).toBe(
            [...(state === shown.state ? [] : [state]), ...(sq === CAPACITY ? ['SQ full'] : [])].join(', '),
          );
        }
      }),
    );
  });

  it('are for many QPs alone', () => {
    const few = Array<Plan>(MANY_QPS - 1).fill({ state: 'RTS', sq: 1 });
    expect(stripsOf({ endpoint: 'client', parts: partsOf(few) })).toBeNull();
  });

  it('say it in words', () => {
    const plan = [
      ...Array<Plan>(254).fill({ state: 'RTS', sq: 3 }),
      { state: 'RTS', sq: 16 },
      { state: 'ERR', sq: 0 },
    ];
    expect(qpsWords(stripsOf({ endpoint: 'client', parts: partsOf(plan as Plan[]) })!)).toBe(
      '256 QPs: 254 alike in RTS; QP 0x0000fe SQ full, QP 0x0000ff ERR',
    );
  });
});

describe('the samples of a device', () => {
  const run = new RunModel(record({ lab: 'program', state: 'done' }));
  const s = new Stream();
  const at = (t: number, body: object) => run.event({ ...s.event(body as never), t, endpoint: 'pid 7' });
  for (let i = 0; i < 6; i++) {
    const attrs = { type: 'RC', max_send_wr: 16, max_recv_wr: 16 };
    at(1, { kind: 'object', phase: 'made', object: 'QP', number: 17 + i, call: 'ibv_create_qp', attrs });
    at(2, { kind: 'qp', qpn: 17 + i, from: 'RTR', to: 'RTS', attrs: {} });
  }
  // More requests than have a timeline: these alone do not tell how full a queue was.
  at(9, { kind: 'counter', when: 'sample', values: { posted_sends: 100 } });
  at(10, {
    kind: 'queues',
    queues: [{ kind: 'SQ', number: 18, used: 12, size: 16 }],
    others: [{ kind: 'SQ', queues: 5, used: 3, size: 80 }],
  });
  const fills = (t: number) => qpStripsAt(run, t)[0]!.strips[0]!.columns.map(({ fill: one }) => one);

  it('fill the queues that they name, from then on, and no others', () => {
    expect(fills(5).every((one) => one === null)).toBe(true);
    expect(run.queues.at({ endpoint: 'pid 7', kind: 'SQ', number: 18 }, 10).is).toBe('known');
    at(20, { kind: 'object', phase: 'made', object: 'MR', number: 1, call: 'ibv_reg_mr', attrs: {} });
    expect(fills(15)).toEqual([null, 0.75, null, null, null, null]);
  });
});

describe('the cost of 2,000 QPs', () => {
  const plan = Array.from({ length: 2000 }, (_, i): Plan => ({ state: 'RTS', sq: i % CAPACITY }));
  const elements = (html: string): number => html.match(/<[a-z]/g)!.length;
  const draw = (all: readonly Plan[]): string => {
    const shown = stripsOf({ endpoint: 'client', parts: partsOf(all) })!;
    return renderToStaticMarkup(
      <StripsPicture at={Infinity} shown={[shown]} wires={new Map()} width={500} />,
    );
  };

  it('is a drawing with no more elements than that of five', () => {
    expect(elements(draw(plan))).toBe(elements(draw(plan.slice(0, 5))));
    expect(draw(plan)).toContain('a column is 32 QPs and shows the fullest');
  });

  it('is one look at each QP for each strip', () => {
    let looks = 0;
    const parts = partsOf(plan).map((part) => {
      const { rings } = part;
      return Object.defineProperty({ ...part }, 'rings', { get: () => (looks++, rings) });
    });
    stripsOf({ endpoint: 'client', parts });
    expect(looks).toBeLessThanOrEqual(STRIP_QUEUES.length * plan.length);
  });
});

/** A run with `qps` QPs at the client, which come into being one after the other and go together. */
function runWith(qps: number): RunModel {
  const run = new RunModel(record({ lab: 'many', state: 'done' }));
  const s = new Stream();
  const at = (t: number, body: object) => run.event({ ...s.event(body as never), t, endpoint: 'client' });
  at(1, {
    kind: 'verb',
    call: 'ibv_create_cq',
    args: { cqe: 64 },
    result: 'CQ 1',
    durationNs: 0,
  });
  for (let i = 0; i < qps; i++) {
    const init = { send_cq: 'CQ 1', recv_cq: 'CQ 1', cap: { max_send_wr: 16, max_recv_wr: 16 } };
    at(10 + i, {
      ...{ kind: 'verb', call: 'ibv_create_qp', args: { qp_init_attr: init }, result: { qp_num: i + 2 } },
      durationNs: 0,
    });
    at(500 + i, { kind: 'qp', qpn: i + 2, from: 'RTR', to: 'RTS', attrs: {} });
  }
  for (let i = 0; i < qps; i++)
    at(2000 + i, { kind: 'verb', call: 'ibv_destroy_qp', args: { qp: `QP ${i + 2}` }, durationNs: 0 });
  return run;
}

describe('the moment with the most QPs', () => {
  it('is the last before one of them goes', () => {
    const run = runWith(12);
    expect(mostQps(run)).toEqual({ at: 1999, qps: 12 });
    const [shown] = qpStripsAt(run, 1999);
    expect(shown).toMatchObject({ endpoint: 'client', qps: 12, group: 1, state: 'RTS', alike: 12, odd: [] });
    expect(qpStripsAt(run, 13)).toEqual([]);
  });

  it('is in the record of every run', () => {
    for (const name of ['minimal-flow', 'srq', 'pingpong'] as const) {
      const run = recorded(name);
      const { at, qps } = mostQps(run)!;
      const counts = machineModel(run, at)
        .hosts.flatMap(({ processes }) => processes)
        .map(({ parts }) => parts.filter(({ kind, state }) => kind === 'QP' && state === 'RTS').length);
      expect(Math.max(...counts), name).toBe(qps);
    }
    expect(mostQps(new RunModel(record()))).toBeNull();
  });
});

describe('the rates on the wire', () => {
  it('count what each endpoint sent around the moment', () => {
    const run = new RunModel(record());
    const s = new Stream();
    run.event(
      s.event({
        ...{ kind: 'source', source: 9, transport: 'rdma', role: 'client', what: 'tap', label: 'tap' },
        endpoint: 'client',
      }),
    );
    const packet = (t: number, direction: 'sent' | 'received') => ({
      ...{ t, tapSeq: t, direction, flags: 0, origLen: 1000, bytes: new Uint8Array(64) },
    });
    const times = Array.from({ length: 100 }, (_, i) => 1e9 + i * 1e4);
    run.frame(s.packets(9, [...times.map((t) => packet(t, 'sent')), packet(2e9, 'received')]));
    run.complete();
    // 100 packets in the 10 ms around the moment are 10,000 per second.
    expect(wireRatesAt(run, 1e9).get('client')).toEqual({ packetsPerSecond: 10_000, gbps: 0.08 });
    expect(wireRatesAt(run, 2e9).size).toBe(0);
  });
});
