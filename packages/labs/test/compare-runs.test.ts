import type { LabDescription, Round, RunRecord, RunResult, TransportResult } from '@verbslab/protocol';
import { overRounds, SIMULATION_LAB } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeText,
  comparisonAnswer,
  comparisonWarnings,
  conditionWarnings,
  differencesOf,
  distanceSentence,
  figureRows,
  footnoteOf,
  letterList,
  paretoFront,
  percentText,
  scatterPoints,
  stateNotes,
  type FieldText,
} from '../src/index.js';

const round = (gbps: number, cpu: number): Round => ({
  ...{ goodputGbps: gbps, messagesPerSecond: gbps * 1000, bytes: 1, messages: 1, seconds: 1 },
  cpuSecondsPerGB: { app: 0, nic: cpu, kernel: 0 },
});

/** Rounds as pairs of goodput and CPU time. */
const transport = (...rounds: [gbps: number, cpu: number][]): TransportResult =>
  overRounds(
    rounds.map(([gbps, cpu]) => round(gbps, cpu)),
    null,
  );

/** Repeats the values often enough that ranges allow a verdict. */
const often = <T>(values: readonly T[]): T[] =>
  Array.from({ length: 9 }, (_, i) => values[i % values.length]!);
const repeated = (...rounds: [gbps: number, cpu: number][]): TransportResult => transport(...often(rounds));

let made = 0;
function run(
  transports: RunResult['transports'],
  more: Partial<RunRecord> = {},
  result: Partial<RunResult> = {},
): RunRecord {
  made++;
  const record: RunRecord = {
    ...{
      id: `run${made}`,
      number: made,
      lab: 'bulk',
      title: 'Bulk',
      mode: 'all',
      state: 'done',
      parameters: {},
    },
    ...{ createdAt: 0, startedAt: 0, endedAt: 1, waitingFor: null, progress: null, lastSeq: 0 },
    ...{ recordedBytes: 0, droppedRecords: 0, capture: null, error: null, result: null },
    ...more,
  };
  return {
    ...record,
    result: {
      ...{ lab: record.lab, state: record.state, provider: 'user-space', device: 'uroce0' },
      ...{ parameters: record.parameters, transports, checks: [], captureFile: null },
      ...result,
    },
  };
}

const lab = {
  id: 'latency',
  params: {},
  results: { figures: [{ name: 'tcp', label: 'TCP', unit: 'µs' }] },
} as unknown as LabDescription;

const answerOf = (runs: RunRecord[], labs: LabDescription[] = [], base = 0) =>
  comparisonAnswer(
    runs,
    figureRows(
      runs.map((record) => ({ record })),
      labs,
      base,
    ),
    base,
  );

describe('the answer of a comparison', () => {
  it('says which of two runs moves more and costs less, with the figures', () => {
    const a = run({ rdma: repeated([10, 0.5], [11, 0.6], [12, 0.55]) });
    const b = run({ rdma: repeated([20, 0.2], [21, 0.3], [22, 0.25]) });
    expect(answerOf([a, b])).toEqual({
      lead: [
        'Over RDMA, B moves more: 21\u00a0Gb/s against 11\u00a0Gb/s of A (B +91\u00a0% against A).',
        'Over RDMA, B spends less CPU time per GB: 0.250\u00a0s/GB against 0.550\u00a0s/GB of A (B −55\u00a0% against A).',
      ],
      details: [],
      caveat: null,
    });
  });

  it('finds no clear difference inside the spread of the rounds, and one outside of it', () => {
    const a = run({ tcp: repeated([10, 0.5], [14, 0.5]) });
    const near = run({ tcp: repeated([13, 0.5], [16, 0.5]) });
    const far = run({ tcp: repeated([15, 0.5], [16, 0.5]) });
    expect(answerOf([a, near]).lead[0]).toContain('there is no clear difference in goodput between A and B');
    expect(answerOf([a, far]).lead[0]).toContain('B moves more');
  });

  it('says that single rounds have no spread', () => {
    const [a, b] = [run({ tcp: transport([10, 0.5]) }), run({ tcp: repeated([20, 0.5], [21, 0.5]) })];
    expect(answerOf([a, b])).toEqual({
      lead: [
        'Over TCP, there are too few rounds for a verdict in goodput between A and B: A 10\u00a0Gb/s, B 20\u00a0Gb/s (20–21).',
        'Over TCP, there is no clear difference in CPU time per GB between A and B: A 0.500\u00a0s/GB, B 0.500\u00a0s/GB (0.500–0.500).',
      ],
      details: [],
      caveat: 'A measured 1 round. A verdict on so many figures needs 4.',
    });
    expect(answerOf([a, a, b]).caveat).toContain('A and B measured 1 round each');
    const three = run({ rdma: transport([30, 0.5], [31, 0.5], [32, 0.5]) });
    const two = run({ rdma: transport([10, 0.5], [11, 0.5]) });
    expect(answerOf([two, three]).lead[0]).toContain('too few rounds for a verdict');
    expect(answerOf([two, three]).caveat).toBe(
      'A measured 2 rounds, B measured 3 rounds. A verdict on so many figures needs 5.',
    );
  });

  it('calls only those last that differ clearly from all others', () => {
    const far = run({ tcp: repeated([30, 0.5], [31, 0.5], [32, 0.5]) });
    const slow = run({ tcp: repeated([10, 0.5], [11, 0.5], [12, 0.5]) });
    const near = run({ tcp: repeated([10.5, 0.5], [11.5, 0.5], [12.5, 0.5]) });
    const slowest = run({ tcp: repeated([1, 0.5], [2, 0.5], [3, 0.5]) });
    expect(answerOf([slow, near, far]).lead[0]).toBe(
      'Over TCP, C moves most: 31\u00a0Gb/s; A and B are last with 11\u00a0Gb/s and 11.5\u00a0Gb/s.',
    );
    expect(answerOf([slow, slowest, far]).lead[0]).toBe(
      'Over TCP, C moves most: 31\u00a0Gb/s; B is last with 2\u00a0Gb/s.',
    );
  });

  it('gives one sentence for all transports where one run wins over all, and says so where it depends', () => {
    const a = run({ rdma: repeated([10, 0.5], [11, 0.5]), tcp: repeated([10, 0.5], [11, 0.5]) });
    const b = run({ rdma: repeated([20, 0.1], [21, 0.1]), tcp: repeated([20, 0.1], [21, 0.1]) });
    const c = run({ rdma: repeated([1, 0.9], [2, 0.9]), tcp: repeated([30, 0.9], [31, 0.9]) });
    expect(answerOf([a, b]).lead).toEqual([
      'B moves more and spends less CPU time per GB over RDMA and TCP.',
    ]);
    expect(answerOf([a, b]).details).toHaveLength(4);
    expect(answerOf([a, b, c]).lead).toEqual([
      'Which run moves most depends on the transport.',
      'B spends least CPU time per GB over RDMA and TCP.',
    ]);
  });

  it('says which run has the lower median latency, and that its spread is not known', () => {
    const withLatency = (p50: number, gbps: number): TransportResult => ({
      ...repeated([gbps, 0.5], [gbps + 1, 0.6]),
      latencyUs: { p50, p90: p50, p99: p50 * 2, p999: p50 * 3, n: 10_000, min: 1, max: p50 * 4 },
    });
    const [a, b] = [run({ rdma: withLatency(20, 10) }), run({ rdma: withLatency(5, 10) })];
    const { lead, caveat } = answerOf([a, b]);
    expect(lead.at(-1)).toBe(
      'Over RDMA, there are too few rounds for a verdict in median latency between A and B: A 20\u00a0µs, B 5\u00a0µs.',
    );
    expect(caveat).toBe(
      'The median latency of A and B is over all rounds: its spread is not known, so there is no verdict on it.',
    );
    const both = (p50: number, gbps: number) =>
      run({ rdma: withLatency(p50, gbps), tcp: withLatency(p50, gbps) });
    expect(answerOf([both(20, 10), both(5, 30)]).lead).toContain(
      'There are too few rounds for a verdict in median latency over RDMA and TCP.',
    );
  });

  it('compares median latencies by the spread of their rounds, as far as each round has one', () => {
    const us = (p50: number) => ({ p50, p90: null, p99: null, p999: null, n: 10, min: 1, max: 2 * p50 });
    const of = (...p50s: (number | null)[]) => {
      const rounds = often(p50s).map((p50) => ({
        ...round(10, 0.5),
        latencyUs: p50 === null ? null : us(p50),
      }));
      return run({ rdma: overRounds(rounds, us(p50s.find((p50) => p50 !== null)!)) });
    };
    const latencyOf = (...runs: RunRecord[]) => answerOf(runs).lead.at(-1);
    expect(latencyOf(of(10, 8, 14), of(12, 9))).toBe(
      'Over RDMA, there is no clear difference in median latency between A and B: A 10\u00a0µs (8–14), B 12\u00a0µs (9–12).',
    );
    expect(latencyOf(of(10, 8), of(12, 13))).toContain('A has the lower median latency');
    expect(answerOf([of(10, 8), of(12, 13)]).caveat).toBeNull();
    // A round of B was too short for a median.
    expect(answerOf([of(10, 8), of(12, null)]).caveat).toBe(
      'The median latency of B is over all rounds: its spread is not known, so there is no verdict on it.',
    );
  });

  it('tells how named figures differ, the sure differences first', () => {
    const figures = (tcp: number, min: number, max: number, other: number) => ({
      results: {
        ...{ tables: {}, curves: {}, predicted: {}, outcomes: {} },
        figures: { tcp: { value: tcp, min, max, n: 5 }, other: { value: other } },
      },
    });
    const a = run({}, { lab: 'latency' }, figures(10, 9, 11, 1));
    const b = run({}, { lab: 'latency' }, figures(20, 19, 21, 100));
    const { lead, details, caveat } = answerOf([a, b], [lab]);
    expect(lead).toEqual(['1 of 1 figure of B that has enough repetitions differs clearly from A.']);
    const near = run({}, { lab: 'latency' }, figures(10.5, 9.5, 11.5, 1));
    expect(answerOf([a, near], [lab]).lead).toEqual([
      'No figure of B that has enough repetitions differs clearly from A.',
    ]);
    expect(details.map((one) => one.replaceAll('\u00a0', ' '))).toEqual([
      'TCP: 20 µs in B against 10 µs in A (+100 %).',
      'other: 100 in B against 1 in A (+9,900 %).',
    ]);
    expect(caveat).toContain('1 of 2 figures does not have the 4 repetitions that a verdict needs');
  });

  it('says of simulations that the same seed gives them again, and not that they are chance', () => {
    const simulated = (goodput: number) => ({
      results: {
        ...{ tables: {}, curves: {}, predicted: {}, outcomes: {} },
        figures: { goodput: { value: goodput } },
      },
    });
    const runs = [10, 20].map((goodput) => run({}, { lab: SIMULATION_LAB }, simulated(goodput)));
    const rows = figureRows(
      runs.map((record) => ({ record })),
      [],
      0,
    );
    const { lead, caveat } = comparisonAnswer(runs, rows, 0);
    expect(lead[0]).toContain('20 Gb/s in B against 10 Gb/s in A'.replaceAll(' Gb', '\u00a0Gb'));
    expect(caveat).toMatch(/^A simulation gives the same figures for the same scenario and seed/);
    expect(footnoteOf(runs, rows)).toMatch(/^\* One simulation, which the same seed gives again/);
    expect(footnoteOf(runs.slice(0, 1), rows.slice(0, 0))).toBeNull();
  });

  it('says when there is nothing to compare', () => {
    expect(answerOf([run({ rdma: repeated([1, 1]) }), run({ tcp: repeated([1, 1]) })]).lead).toEqual([
      'These runs have no figure in common, so there is nothing to compare in numbers.',
    ]);
  });
});

describe('differences from a baseline', () => {
  it('are in per cent of it, whichever run it is', () => {
    const runs = [run({ tcp: repeated([10, 1]) }), run({ tcp: repeated([15, 1]) })];
    const textsWith = (base: number) =>
      figureRows(
        runs.map((record) => ({ record })),
        [],
        base,
      )[0]!.changes.map((change) => change && changeText(change));
    expect(textsWith(0)).toEqual([null, '+50\u00a0%']);
    expect(textsWith(1)).toEqual(['−33\u00a0%', null]);
  });

  it('have a sign, and three digits from a hundred on', () => {
    expect([0.123, -4.56, 45.6, 1234].map(percentText)).toEqual(
      ['+0.12', '−4.6', '+46', '+1,230'].map((text) => `${text}\u00a0%`),
    );
    expect(changeText({ percent: null, verdict: 'few' })).toBe('–');
    expect(changeText(null)).toBe('–');
  });
});

describe('what differs', () => {
  const textOf: FieldText = (_, name, value) => ({ title: name, text: String(value) });
  const at = (host: string, device: string, system?: { kernel: string }) => ({
    endpoints: ['client', 'server'].map((role) => ({
      ...{ role, host, device, providerClass: 'user-space' as const },
      ...(system
        ? { system: { hostname: 'box', cpu: 'x', cpus: 2, verbslab: '1', kernel: system.kernel } }
        : {}),
    })),
  });

  it('are parameters and places, apart from what is equal', () => {
    const a = run({}, { parameters: { size: 1, depth: 4 } }, at('local', 'uroce0', { kernel: '6.1' }));
    const b = run({}, { parameters: { size: 2, depth: 4 } }, at('vm1', 'rxe0'));
    const all = differencesOf([a, b], [], textOf);
    const differing = all.filter(({ differs }) => differs);
    expect(differing.map(({ title, values }) => [title, ...values])).toEqual([
      ['size', '1', '2'],
      ['Host', 'local (box)', 'vm1'],
      ['Device', 'uroce0', 'rxe0'],
      ['CPU', 'x, 2 CPUs', 'not recorded'],
      ['Kernel', '6.1', 'not recorded'],
      ['Verbs Lab', '1', 'not recorded'],
    ]);
    expect(all.filter(({ differs }) => !differs).map(({ id }) => id)).toContain('param.depth');
  });

  it('make a warning where they make figures incomparable', () => {
    const bulk = run({});
    expect(comparisonWarnings([bulk, run({})])).toEqual([]);
    expect(comparisonWarnings([bulk, run({}, { lab: 'latency', title: 'Latency' })])[0]).toContain(
      'different labs (A: Bulk; B: Latency)',
    );
    expect(comparisonWarnings([bulk, run({}, {}, { provider: 'hardware' })])[0]).toContain(
      'A: user-space software; B: hardware',
    );
    const over = (link: 'udp' | 'shm') =>
      run({ rdma: { ...transport([1, 1]), link } }, {}, { links: [link] });
    expect(comparisonWarnings([over('udp'), over('shm')])[0]).toContain('A: RDMA/UDP; B: RDMA/shm');
  });

  it('make a warning where several settings or the machines differ', () => {
    const warnings = (...runs: RunRecord[]) => conditionWarnings(differencesOf(runs, [], textOf));
    const with_ = (parameters: RunRecord['parameters'], kernel = '6.1') =>
      run({}, { parameters }, at('local', 'uroce0', { kernel }));
    expect(warnings(with_({ size: 1, depth: 4 }), with_({ size: 2, depth: 4 }))).toEqual([]);
    expect(warnings(with_({ size: 1, depth: 4 }), with_({ size: 2, depth: 8 }, '6.2'))).toEqual([
      '2 settings differ: size and depth. The figures do not show which of them makes the difference.',
      'The machine or its software differs: Kernel. A difference may come from that.',
    ]);
    const many = (value: number) =>
      with_(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, value])));
    expect(warnings(many(1), many(2))[0]).toContain('7 settings differ: a, b, c, d, e and 2 more.');
  });

  it('say how far a run got', () => {
    const notes = stateNotes([run({}), run({}, { state: 'cancelled' }), run({}, { state: 'running' })]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/^B \(run \d+\) was cancelled: its figures cover the time until then\.$/);
    expect(notes[1]).toMatch(/^C \(run \d+\) is still in progress/);
  });
});

describe('the distance in words', () => {
  const ks = { distance: 0.5, ns: 12_300, shares: [0.75, 0.25], n: [1000, 2000] } as const;
  const pair = { a: 0, b: 1, name: 'TCP', ks, rounds: [5, 5] as const };
  const said = (more: { withinRuns: number | null; rounds?: readonly [number, number] }) =>
    distanceSentence({ ...pair, ...more }, 2).replaceAll('\u00a0', ' ');

  it('is beside what rounds of one run differ by', () => {
    expect(said({ withinRuns: 0.1 })).toBe(
      'A and B over TCP: distance 0.50 (n = 1,000 and 2,000). 75 % of the operations of A took 12.3 µs at most, and 25 % of those of B. Two rounds of the same run are up to 0.10 apart, so the runs differ.',
    );
    expect(said({ withinRuns: 0.1, rounds: [4, 4] })).toContain(
      '4 repetitions are too few for a verdict, 5 are needed.',
    );
    expect(said({ withinRuns: 0.6 })).toContain('no clear difference');
    expect(said({ withinRuns: null })).toContain('it is not known');
  });

  it('names runs by letters', () => {
    expect([letterList([0]), letterList([0, 1]), letterList([0, 1, 5])]).toEqual([
      'A',
      'A and B',
      'A, B and F',
    ]);
  });
});

describe('the Pareto front', () => {
  const point = (goodputGbps: number, cpuSecondsPerGB: number) => ({ goodputGbps, cpuSecondsPerGB });
  const dominates = (a: ReturnType<typeof point>, b: ReturnType<typeof point>): boolean =>
    a.goodputGbps >= b.goodputGbps &&
    a.cpuSecondsPerGB <= b.cpuSecondsPerGB &&
    (a.goodputGbps > b.goodputGbps || a.cpuSecondsPerGB < b.cpuSecondsPerGB);

  it('is what no other point beats, by the definition', () => {
    const some = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })).map(([x, y]) => point(x, y)),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(some, (points) => {
        const best = points.filter((one) => !points.some((other) => dominates(other, one)));
        const front = paretoFront(points);
        expect(new Set(front)).toEqual(new Set(best));
        expect(front.map(({ goodputGbps }) => goodputGbps)).toEqual(
          front.map(({ goodputGbps }) => goodputGbps).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it('has a point for each transport with goodput and CPU time', () => {
    const points = scatterPoints([
      run({ rdma: transport([10, 0.5]), tcp: transport([5, 0.25]) }),
      run({ tcp: { ...transport([5, 1]), cpuSecondsPerGB: null } }),
      run({}),
    ]);
    expect(
      points.map(({ transport: of, goodputGbps, cpuSecondsPerGB }) => [of, goodputGbps, cpuSecondsPerGB]),
    ).toEqual([
      ['rdma', 10, 0.5],
      ['tcp', 5, 0.25],
    ]);
  });
});
