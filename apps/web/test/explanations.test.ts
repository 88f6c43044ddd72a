/** The arithmetic of the explanations over small records, counted by hand. */
import { noResults, rowOf, zRunRecord, type LabResults } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import * as amplification from '../src/explanations/amplification/model';
import { ahead, episodesOf, sentOf } from '../src/explanations/amplification/episodes';
import * as averages from '../src/explanations/averages/model';
import * as overTime from '../src/explanations/averages/over-time';
import { placesOf } from '../src/explanations/copies/copy-path';
import * as copies from '../src/explanations/copies/model';
import { onStop } from '../src/explanations/controls';
import { DRAWINGS } from '../src/explanations/drawings';
import { EXPLANATIONS, explanationsOf, findExplanation } from '../src/explanations/list';
import { SAMPLED, sampleOf } from '../src/explanations/samples';
import * as setup from '../src/explanations/setup/model';
import { ATTRIBUTES } from '../src/explanations/states/attributes';
import * as states from '../src/explanations/states/model';
import { TRANSITIONS } from '../src/explanations/states/transitions';
import { readControls } from '../src/explanations/use-controls';
import * as waiting from '../src/explanations/waiting/model';
import { CATALOG } from '../src/labs/catalog';

const results = (part: Partial<LabResults>): LabResults => ({ ...noResults(), ...part });

it('takes its runs from labs that exist, and is reached from labs that exist', () => {
  const labs = new Set(CATALOG.map(({ id }) => id));
  for (const { lab, also } of EXPLANATIONS)
    for (const id of [lab, ...also]) expect([id, labs.has(id)]).toEqual([id, true]);
  expect(explanationsOf('minimal-flow').map(({ id }) => id)).toEqual(['setup', 'states']);
});

it('ships a sample and a drawing for each explorable, and the sample fits', async () => {
  expect(Object.keys(DRAWINGS).toSorted()).toEqual(SAMPLED.toSorted());
  for (const id of SAMPLED) {
    const { record, sample } = await sampleOf(id);
    const explanation = findExplanation(id)!;
    expect(zRunRecord.parse(record)).toMatchObject({ lab: explanation.lab, state: 'done' });
    expect([id, explanation.fits(rowOf(record))]).toEqual([id, true]);
    expect(sample).toBeDefined();
    // Nothing of the machine that made it.
    expect(JSON.stringify(record)).not.toMatch(/hostname|\/home\/|\/tmp\//);
  }
});

it('reads controls from the address, and takes the next lower stop', () => {
  const read = (query: string) => readControls(new URLSearchParams(query), { n: 3, way: 'TCP' });
  expect(read('')).toEqual({ n: 3, way: 'TCP' });
  expect(read('n=12&way=WRITE')).toEqual({ n: 12, way: 'WRITE' });
  expect(read('n=many')).toEqual({ n: 3, way: 'TCP' });
  expect(onStop([0, 10, 20], 15)).toBe(10);
  expect(onStop([5, 10], 1)).toBe(5);
});

describe('averages', () => {
  // 990 WRITEs of 10 µs and 10 of 2,000 µs: the mean is 29.9 µs.
  const run = results({
    figures: { mean: { value: 29.9 } },
    curves: {
      cumulative: [
        { x: 10, y: 990, series: 'spiky' },
        { x: 2000, y: 1000, series: 'spiky' },
        { x: 10, y: 5, series: 'calm' },
      ],
    },
  });
  it('moves the mean, not the median, when the slowest are left out', () => {
    const { tables, figures } = averages.compute(run, { setting: 'spiky', removed: 10, percentile: 99 });
    const [all, kept] = tables.summaries!;
    expect(all).toMatchObject({ n: 1000, mean: 29.9, p50: 10, p99: 10, p999: null, max: 2000 });
    expect(kept).toMatchObject({ n: 990, p50: 10, p99: null, max: 10 });
    expect(kept!.mean).toBeCloseTo(10, 9);
    // 990 samples are too few for p99.
    expect(figures.chosen!.value).toBeNull();
    expect(figures['one-in']!.value).toBe(100);
  });
  it('counts what is faster than the mean', () => {
    const { figures } = averages.compute(run, { setting: 'spiky', removed: 0, percentile: 95 });
    expect(figures.faster!.value).toBeCloseTo(99, 9);
    expect(figures.chosen!.value).toBe(10);
  });
  it('leaves out at most a tenth', () => {
    expect(averages.removable(1000).at(-1)).toBe(100);
    expect(
      averages.withoutSlowest(
        [
          [1, 5],
          [9, 2],
        ],
        3,
      ),
    ).toEqual({ kept: [[1, 4]], sum: 19 });
  });
});

describe('averages over time', () => {
  const MS = 1e6;
  // Source 1: WRITEs of 1 ms that complete at 1, 2, 3 ms of its round, and one of 3 ms. Source 3: the next round, much later.
  const records = {
    t: Float64Array.from([101, 102, 103, 106, 500, 901, 902].map((ms) => ms * MS)),
    source: Uint32Array.from([1, 1, 1, 1, 2, 3, 3]),
    columns: { latency: Uint32Array.from([1, 1, 1, 3, 9, 1, 1].map((ms) => ms * MS)) },
  } as unknown as Parameters<typeof overTime.timedOf>[0];
  const sources = new Map([
    [1, { label: 'WRITEs with spikes, round 1' }],
    [2, { label: 'WRITEs without spikes, round 1' }],
    [3, { label: 'WRITEs with spikes, round 2' }],
  ]);
  const timed = overTime.timedOf(records, sources, 'spiky');
  it('joins the rounds of one setting, without the time between them', () => {
    expect(timed.at.map((ns) => ns / MS)).toEqual([1, 2, 3, 6, 7, 8]);
    expect(overTime.timedOf(records, sources, 'calm')).toEqual({ at: [9 * MS], latency: [9 * MS] });
  });
  it('says where the highest mean is that of a last window that the end of the run cut', () => {
    expect([1, 2, 5, 10].map((window) => overTime.highestIsCut(timed, window))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
  it('shows a spike in short windows, and less of it the longer they are', () => {
    const { curves, figures, tables } = overTime.compute(timed, { window: 2 });
    const of = (series: string) =>
      curves.windows!.flatMap((one) => (one.series === series ? [one.x, one.y] : []));
    // From 4 ms to 6 ms nothing completed: a gap.
    expect(of('mean')).toEqual([0, 1000, 2, 1000, 4, null, 6, 2000, 8, 1000]);
    expect(of('slowest')).toEqual([0, 1000, 2, 1000, 4, null, 6, 3000, 8, 1000]);
    expect([figures.highest!.value, figures.slowest!.value, figures.around!.value]).toEqual([
      2000, 3000, 2000,
    ]);
    expect(figures.all!.value).toBeCloseTo(8000 / 6, 9);
    expect(tables.lengths!.map(({ window, windows, highest }) => [window, windows, highest])).toEqual([
      [1, 6, 3000],
      [2, 4, 2000],
      [5, 2, expect.closeTo(5000 / 3, 9)],
      [10, 1, expect.closeTo(8000 / 6, 9)],
    ]);
  });
});

describe('polling or events', () => {
  const way = (name: string, median: number, cpu: number, share: number) => ({
    way: name,
    median,
    p99: null,
    cpu,
    share,
  });
  const run = results({
    tables: {
      ways: [
        way('Poll', 20, 1000, 100),
        way('Sleep until an event', 50, 40, 4),
        way('Poll for the budget, then sleep', 45, 140, 14),
      ],
    },
  });
  it('finds the rate from which polling costs less', () => {
    const { figures, tables } = waiting.compute(run, { rate: 100 });
    // A core / 40 µs per message.
    expect(figures['break-even']!.value).toBeCloseTo(25_000, 6);
    expect(figures.fastest!.value).toBe(50_000);
    expect(figures['fastest-event']!.value).toBe(20_000);
    expect(tables.ways!.map(({ share }) => share)).toEqual([
      100,
      expect.closeTo(0.4, 9),
      expect.closeTo(1.4, 9),
    ]);
    expect(tables.ways!.map(({ best }) => best)).toEqual(['median round trip', 'share of a core', '']);
    expect(tables.ways![1]!.measuredRate).toBeCloseTo(1000, 9);
  });
  it('never charges a server that sleeps more than a core', () => {
    const shareOf = (rate: number, cpu = 40) =>
      waiting.compute(
        results({ tables: { ways: [way('Poll', 20, 1000, 100), way('Sleep until an event', 50, cpu, 4)] } }),
        { rate },
      ).tables.ways![1]!.share;
    expect(shareOf(20_000, 60)).toBe(100);
    // A server that answers one message at a time answers 1 / 50 µs.
    expect(shareOf(20_000)).toBeCloseTo(80, 9);
    expect(shareOf(20_001)).toBeNull();
    expect(waiting.rates(run).at(-1)).toBe(50_000);
  });
  it('computes with a whole core if the server that polled did not get one', () => {
    // A busy machine: the server that sleeps was measured at a larger share than the one that polls.
    const busy = results({
      tables: { ways: [way('Poll', 373, 298, 12.6), way('Sleep until an event', 306, 262, 14.6)] },
    });
    const { figures, tables, curves } = waiting.compute(busy, { rate: 500 });
    expect(figures['break-even']!.value).toBeCloseTo(1e6 / 262, 6);
    expect(waiting.verdictOf(busy)).toEqual({ from: null, atLeast: true, lacking: true, slower: true });
    expect(tables.ways!.map(({ share }) => share)).toEqual([100, expect.closeTo(13.1, 9)]);
    expect(tables.ways!.map(({ measuredShare }) => measuredShare)).toEqual([12.6, 14.6]);
    const ends = (series: string) =>
      curves.share!.findLast((point) => point.series === series && point.y !== null)!.x;
    expect([ends('poll'), ends('event')]).toEqual([1e6 / 373, 1e6 / 306]);
    expect(waiting.verdictOf(run)).toEqual({ from: null, atLeast: true, lacking: false, slower: false });
    // A core answers 16,667 messages of 60 µs, and the server 20,000 of 50 µs.
    const dear = results({
      tables: { ways: [way('Poll', 20, 1000, 100), way('Sleep until an event', 50, 60, 6)] },
    });
    expect(waiting.verdictOf(dear)!.from).toBeCloseTo(1e6 / 60, 6);
    // Measured at 1,000 per second, so messages are cheaper where polling would begin to pay.
    expect(waiting.verdictOf(dear)!.atLeast).toBe(true);
    // Measured at 18,000 per second, above the computed rate: there it costs more than a core.
    const fast = results({
      tables: { ways: [way('Poll', 20, 1000, 100), way('Sleep until an event', 50, 60, 108)] },
    });
    expect(waiting.verdictOf(fast)!.atLeast).toBe(false);
  });
});

it('spreads the setup over the messages', () => {
  const row = (way: string, tag: string, call: string, time: number) => ({
    way,
    tag,
    call,
    time,
    endpoint: 'client',
    event: null,
  });
  const run = results({
    tables: {
      trace: [
        row('by hand', 'setup, once', 'ibv_modify_qp', 40),
        row('by hand', 'setup, once', 'ibv_modify_qp', 50),
        { ...row('by hand', 'setup, once', 'ibv_reg_mr', 999), endpoint: 'server' },
        row('by hand', 'data, per message', 'RDMA WRITE, median', 2),
        row('rdma_cm', 'setup, once', 'rdma_create_qp', 10),
        row('rdma_cm', 'setup, once', 'rdma_connect', 190),
        row('rdma_cm', 'data, per message', 'RDMA WRITE, median', 4),
      ],
    },
  });
  const { figures, tables, curves } = setup.compute(run, { messages: 5 });
  expect(figures['hand-setup']!.value).toBe(0.09);
  // 90 / (90 + 405 × 2) is a tenth.
  expect(figures['hand-tenth']!.value).toBe(405);
  // Both with the WRITE of 2 µs: 200 × 9 / 2, and without the wait of rdma_connect 10 × 9 / 2.
  expect(figures.write!.value).toBe(2);
  expect(figures['cm-tenth']!.value).toBe(900);
  expect(figures.connect!.value).toBe(0.19);
  expect(figures['cm-tenth-alone']!.value).toBe(45);
  expect(figures['hand-tenth-alone']).toBeUndefined();
  expect(tables.parts!.filter(({ way }) => way === 'By hand')).toEqual([
    { way: 'By hand', call: 'ibv_modify_qp', times: 2, time: 90, share: 90 },
    { way: 'By hand', call: 'RDMA WRITE', times: 5, time: 10, share: 10 },
  ]);
  expect(curves.each!.find(({ x, series }) => x === 10 && series === 'hand')!.y).toBe(11);
});

describe('loss amplification', () => {
  // 3 is lost, with 4 and 5 behind it; the sender starts again at 3. Later 7 is lost twice.
  const sent = [1, 2, 3, 4, 5, 3, 4, 5, 6, 7, 8, 7, 7, 8, 9];
  const received = [1, 2, 4, 5, 3, 4, 5, 6, 8, 7, 8, 9];
  const packets = sentOf(sent, received);
  const episodes = episodesOf(packets);
  it('tells needed retransmissions from others', () => {
    expect(episodes[0]).toEqual({
      psn: 3,
      lost: 2,
      first: 5,
      end: 8,
      behind: 2,
      again: 3,
      hadArrived: 2,
      selective: 1,
    });
    // The first retransmission of 7 was lost, too, so that the sender went back twice.
    expect(
      episodes.slice(1).map(({ psn, behind, again, selective }) => [psn, behind, again, selective]),
    ).toEqual([
      [7, 1, 1, 1],
      [7, 0, 2, 1],
    ]);
  });
  it('agrees with the sums of the whole capture', () => {
    const { figures, tables, curves } = amplification.compute(packets, episodes, { loss: 0 });
    expect(figures['run-losses']!.value).toBe(3);
    expect(figures['run-median']!.value).toBe(2);
    expect(figures['run-after']!.value).toBe(6);
    expect(figures['run-other']!.value).toBe(0);
    expect(figures['run-selective']!.value).toBe(3);
    expect(tables.packets!.map(({ psn, selective }) => [psn, selective])).toEqual([
      [3, true],
      [4, false],
      [5, false],
    ]);
    expect(amplification.marksOf(episodes[0]!).map(({ x }) => x)).toEqual([3, 6]);
    expect(figures['run-ratio']!.value).toBe(2);
    // Packets of other kinds are between those of one kind: holes.
    expect(
      curves.order!.flatMap(({ x, y, series }) => (series === 'lost' && y !== null ? [[x, y]] : [])),
    ).toEqual([[3, 0]]);
    expect(curves.order!.filter(({ series }) => series === 'lost').map(({ x }) => x)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });
  it('knows that PSNs start again at 0', () => {
    expect(ahead(1, 2 ** 24 - 1)).toBe(2);
    expect(ahead(2 ** 24 - 1, 1)).toBe(-2);
    const wrapped = [2 ** 24 - 2, 2 ** 24 - 1, 0, 2 ** 24 - 1, 0];
    expect(episodesOf(sentOf(wrapped, [2 ** 24 - 2, 0, 2 ** 24 - 1, 0]))).toMatchObject([
      { psn: 2 ** 24 - 1, again: 2, selective: 1 },
    ]);
  });
});

describe('the QP state machine', () => {
  const call = (from: string, what: string, answer: string, to: string) => ({
    from,
    what,
    mask: '0x1',
    answer,
    to,
  });
  const run = results({
    tables: {
      calls: [
        call('RESET', 'Straight to RTS', 'EINVAL', 'RESET'),
        call('RESET', 'INIT without PORT', 'EINVAL', 'RESET'),
        call('RESET', 'INIT, complete', 'Granted.', 'INIT'),
        call('RTR', 'Back to INIT', 'EINVAL', 'RTR'),
        call('RTS', 'ERR', 'Granted.', 'ERR'),
      ],
    },
  });
  it('sorts calls by transition and by state', () => {
    expect(states.countsOf(run, 'RESET-INIT')).toEqual({ granted: 1, refused: 1 });
    expect(states.countsOf(run, 'RESET')).toEqual({ granted: 1, refused: 2 });
    expect(states.countsOf(run, 'any-ERR')).toEqual({ granted: 1, refused: 0 });
    expect(states.compute(run, { at: 'RTR' }).tables.calls!.map(({ what }) => what)).toEqual([
      'Back to INIT',
    ]);
  });
  it('says why a call was refused', () => {
    const of = (from: string, what: string, mask: string, answer = 'EINVAL') =>
      states.whyRefused({ from, what, mask, answer, to: from });
    expect(of('INIT', 'RTR, complete', '0x129181', 'Granted.')).toBeNull();
    expect(of('INIT', 'RTR without AV', '0x129101')).toBe('Lacks AV');
    expect(of('RESET', 'INIT with TIMEOUT as well', '0x239')).toBe('Not allowed here: TIMEOUT');
    expect(of('INIT', 'RTR with GID index 2, an empty entry', '0x129181')).toBe('A value; the mask is right');
    expect(of('RESET', 'Straight to RTS', '0x12e01')).toBe('No transition from RESET to RTS');
  });
  it('has each attribute of a transition once', () => {
    for (const { required, optional } of TRANSITIONS) {
      for (const name of required) expect([name, ATTRIBUTES[name]]).toEqual([name, expect.any(String)]);
      const all = [...required, ...optional];
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

it('puts two transports side by side', () => {
  const run = results({
    tables: {
      ways: [
        { way: 'TCP', program: 4, device: 0, switches: 2, cpu: 12, kib: 200, lowest: 11, highest: 13 },
        { way: 'WRITE', program: 0, device: null, switches: 1, cpu: 6, kib: 100, lowest: 5, highest: 7 },
      ],
      copies: [
        { way: 'TCP', copies: 2, where: 'program → kernel, kernel → program' },
        { way: 'WRITE', copies: 0, where: 'none: the NIC reads and writes memory (DMA)' },
      ],
    },
  });
  const sizes = { size: 1024, large: 11 * 1024 };
  const at = (size: number): Record<string, unknown> => {
    const { tables } = copies.compute(run, sizes, { size, one: 'TCP', other: 'WRITE' });
    const lines: [string, unknown][] = tables.sides!.map(({ what, one, other, ratio }) => [
      String(what),
      [one, other, ratio],
    ]);
    return Object.fromEntries(lines);
  };
  expect(at(1024)).toMatchObject({
    'Bytes that the CPU copies, a model': [2048, 0, null],
    'System calls, under tracing': [4, null, null],
    'CPU time': [12, 6, 2],
    // 0.2 of 12 µs are for 1 KiB.
    'CPU time per message, whatever its size': [11.8, 5.9, 2],
    'CPU time per byte': [200 / 1024, 100 / 1024, 2],
  });
  // 10 KiB more at 200 and 100 ns each.
  expect(at(sizes.large)['CPU time']).toEqual([14, 7, 2]);
  const pair = { one: 'WRITE', other: 'TCP' };
  expect(copies.moreCopies(run, sizes, pair, 5)).toEqual({ way: 'TCP', than: 'WRITE', cpu: 'more' });
  // Ranges of three rounds lie apart by chance one time in ten.
  expect(copies.moreCopies(run, sizes, pair, 3)!.cpu).toBe('few');
  run.tables.ways![1]!.highest = 12;
  expect(copies.moreCopies(run, sizes, pair, 5)!.cpu).toBe('unclear');
  expect(placesOf(copies.copiesOf(run, 'TCP')!.steps)).toEqual(['program', 'kernel', 'program']);
  expect(copies.copiesOf(run, 'WRITE')!.steps).toEqual([]);
  // On a busy machine the larger message took less time: noise has no ratio, on either side.
  run.tables.ways![1]!.kib = -100;
  expect(at(1024)['CPU time per byte']).toEqual([200 / 1024, -100 / 1024, null]);
  run.tables.ways![0]!.kib = -200;
  run.tables.ways![1]!.kib = 100;
  expect(at(1024)['CPU time per byte']).toEqual([-200 / 1024, 100 / 1024, null]);
});
