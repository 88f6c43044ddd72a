import { bulk } from '@verbslab/labs';
import { FRAME_FLAGS, type RunRecord, type Transport } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { compareQueryHref, readCompareQuery } from '../src/compare/compare-query';
import { alignedSeries, topOf, warm } from '../src/compare/model/aligned-series';
import { asFound } from '../src/compare/model/as-found';
import { latencyPairs } from '../src/compare/model/latency-pairs';
import { lineChoice } from '../src/compare/model/lines';
import { sharedCurves } from '../src/compare/model/shared-curves';
import type { Compared, RunLine } from '../src/compare/use-compared';
import { RunView } from '../src/connection/run-view';
import { fieldsOf } from '../src/model/fields';
import { variationRuns } from '../src/labs/variation-runs';
import { RunModel } from '../src/model/run-model';
import { bulkRun } from './bulk-run';
import { interval, record, Stream } from './stream';

const compared = (model: RunModel, index: number): Compared => ({
  ...{ id: `run000000${index}`, index, letter: 'ABCDEF'[index]!, view: new RunView(model), reading: false },
});

/** A transport that begins at a time, with a warm-up of a sample and this payload per sample. */
function model(transport: Transport, beginsNs: number, megabytes: readonly (number | null)[]): RunModel {
  const made = new RunModel(record());
  const s = new Stream();
  const source = { source: 1, transport, role: 'client' as const, what: 'loop' as const, label: '' };
  made.event(s.event({ kind: 'source', ...source }));
  megabytes.forEach((mb, i) => {
    if (mb === null) return;
    const t = beginsNs + (i + 1) * 100e6;
    const flags = i === 0 ? FRAME_FLAGS.omitted : 0;
    made.frame(s.series(1, [interval({ t, bytes: mb * 1e6, messages: 1, appNs: 50e6, nicNs: 0 })], flags));
  });
  return made;
}

describe('the address of a comparison', () => {
  const read = (query: string) => readCompareQuery(new URLSearchParams(query));
  const ids = Array.from({ length: 7 }, (_, i) => `run000000${i}`);

  it('holds runs, baseline, hidden runs and transports, and nothing that is as usual', () => {
    const query = read(`ids=${ids[0]},${ids[1]}&base=${ids[1]}&hide=${ids[0]},${ids[5]}&show=tcp,rdma`);
    expect(query).toEqual({
      ...{ ids: [ids[0], ids[1]], refused: [], tooMany: 0 },
      ...{ base: ids[1], hidden: [ids[0]], shown: ['rdma', 'tcp'] },
    });
    const href = compareQueryHref(query);
    expect(read(href.split('?')[1]!)).toEqual(query);
    expect(compareQueryHref({ ...query, base: ids[0]!, hidden: [], shown: null })).toBe(
      `/runs/compare?ids=${ids[0]},${ids[1]}`,
    );
  });

  it('takes each run once, six at most, and names what is no run', () => {
    expect(read(`ids=${ids.join(',')},${ids[0]}`)).toMatchObject({ ids: ids.slice(0, 6), tooMany: 1 });
    expect(read(`ids=x,${ids[0]}&base=${ids[3]}`)).toMatchObject({
      ...{ ids: [ids[0]], refused: ['x'], base: ids[0] },
    });
    expect(read('')).toMatchObject({ ids: [], base: null });
  });
});

describe('series over each other', () => {
  const source = (key: string, of: RunModel, transport: Transport) => ({ key, model: of, transport });

  it('begin where measuring of each began, with the warm-up before it', () => {
    const { rows, warmUp, domain } = alignedSeries([
      source('A', model('rdma', 0, [25, 12.5, 12.5]), 'rdma'),
      source('B', model('rdma', 7e9, [25, 25, 25]), 'rdma'),
    ]);
    const at = (t: number) => rows.goodput.find((row) => Math.abs(row.t - t) < 0.01)!;
    // 12.5 MB in 100 ms are 1 Gb/s.
    expect(at(-0.05)[warm('A')]).toBeCloseTo(2);
    expect(at(-0.05).A).toBeUndefined();
    expect(at(0.05).A).toBeCloseTo(1);
    expect(at(0.05).B).toBeCloseTo(2);
    expect(at(0.15).A).toBeCloseTo(1);
    expect(rows.app.find((row) => Math.abs(row.t - 0.05) < 0.01)!.A).toBeCloseTo(0.5);
    expect(warmUp).toBeCloseTo(0.1);
    expect(domain[0]).toBeCloseTo(-0.1);
    expect(domain[1]).toBeCloseTo(0.2);
    expect(topOf({ rows, holes: [], warmUp, domain }, 'goodput')).toBeCloseTo(2);
  });

  it('keep a hole as a row without a value, so that no line is drawn across it', () => {
    const { rows } = alignedSeries([source('A', model('tcp', 0, [1, 10, null, null, 10]), 'tcp')]);
    expect(rows.goodput.map((row) => row.A === undefined)).toEqual([true, false, true, true, false]);
  });

  it('have a long sample as a hole of its run, moved along', () => {
    const made = model('tcp', 5e9, [1, 10]);
    const s = new Stream();
    for (let i = 0; i < 5; i++) s.event({ kind: 'note', text: '' });
    made.frame(s.series(1, [interval({ t: 6.2e9, intervalNs: 1e9, bytes: 125e6 })]));
    const { holes, domain } = alignedSeries([source('A', made, 'tcp')]);
    expect(holes).toMatchObject([{ key: 'A' }]);
    expect(holes[0]!.hole.from).toBeCloseTo(0.1);
    expect(holes[0]!.hole.to).toBeCloseTo(1.1);
    expect(domain[1]).toBeCloseTo(1.1);
  });

  it('are nothing for a transport that no run has', () => {
    expect(alignedSeries([source('A', model('tcp', 0, [1]), 'rdma')]).rows.goodput).toEqual([]);
  });
});

describe('which lines charts show', () => {
  const both = () => bulkRun().model;
  const tcp = () => model('tcp', 0, [1, 1]);

  it('are all while they are few, and else those of the transport that most runs have', () => {
    const few = [both(), tcp()].map(compared);
    expect(lineChoice(few, null, []).lines.map(({ key }) => key)).toEqual(['A rdma', 'A tcp', 'B tcp']);
    const many = [both(), both(), both(), tcp()].map(compared);
    expect(lineChoice(many, null, []).shown).toEqual(['tcp']);
    expect(lineChoice(many, ['rdma'], [many[0]!.id]).lines.map(({ key }) => key)).toEqual([
      'B rdma',
      'C rdma',
    ]);
    // A transport that no run has cannot be chosen.
    expect(lineChoice(many, ['udp'], []).shown).toEqual(['tcp']);
  });
});

describe('distances of latencies', () => {
  function timed(rounds: readonly number[][]): RunModel {
    const made = new RunModel(record());
    const s = new Stream();
    rounds.forEach((values, i) => {
      const source = { transport: 'tcp' as const, role: 'client' as const, what: 'loop' as const, label: '' };
      made.event(s.event({ kind: 'source', source: i + 1, round: i + 1, ...source }));
      made.frame(s.histogram(i + 1, values, FRAME_FLAGS.total | FRAME_FLAGS.last));
    });
    return made;
  }
  const line = (run: Compared): RunLine => ({ key: `${run.letter} tcp`, run, transport: 'tcp' });

  it('are between all pairs, the baseline first, beside those of rounds of one run', () => {
    const runs = [
      timed([[100], [100]]),
      timed([
        [100, 200],
        [300, 300],
      ]),
      timed([[900]]),
    ].map(compared);
    const pairs = latencyPairs(runs.map(line), runs[1]!.id);
    expect(pairs.map(({ runs: [a, b] }) => `${a.letter}${b.letter}`)).toEqual(['BA', 'BC', 'AC']);
    expect(pairs.map(({ said }) => said.ks.distance)).toEqual([0.75, 1, 1]);
    // B's rounds share no latency; A's are the same; C has one round.
    expect(pairs.map(({ said }) => said.withinRuns)).toEqual([1, 1, 0]);
    expect(
      latencyPairs([line(compared(timed([[900]]), 0)), line(compared(timed([[1]]), 1))], ''),
    ).toMatchObject([{ said: { withinRuns: null } }]);
  });
});

describe('a run in progress', () => {
  it('is compared by what it has measured so far', () => {
    const { model: going } = bulkRun();
    const { record: found } = asFound(going);
    expect(found.state).toBe('running');
    expect(found.result?.transports.rdma).toMatchObject({ partial: true });
    expect(found.result?.transports.rdma?.goodputGbps).toBeCloseTo(1);
    const done = record({ state: 'done' });
    expect(asFound(new RunModel(done)).record.result?.transports).toEqual({});
  });
});

describe('curves of labs', () => {
  const results = (y: number) => ({
    ...{ figures: {}, tables: {}, predicted: {}, outcomes: {} },
    curves: {
      cost: [1, 2].flatMap((x) => [
        { x, y, series: 'a' },
        { x, y: 2 * y, series: 'b' },
      ]),
    },
  });

  it('are one chart a series, with a line for each run that has it', () => {
    const own = { ...results(5), curves: { ...results(5).curves, own: [{ x: 1, y: 1 }] } };
    const curves = sharedCurves([
      { letter: 'A', lab: undefined, results: results(1) },
      { letter: 'C', lab: undefined, results: own },
    ]);
    expect(curves.map(({ label, series }) => [label, series.map(({ name }) => name)])).toEqual([
      ['cost: a', ['A', 'C']],
      ['cost: b', ['A', 'C']],
    ]);
    expect(curves[1]!.table.rows).toEqual([
      ['1', '2', '10'],
      ['2', '2', '10'],
    ]);
  });
});

describe('runs of variations', () => {
  it('are the latest with exactly the parameters of each', () => {
    const lab = bulk.description;
    const presets = Object.fromEntries(fieldsOf(lab.params).map(({ name, preset }) => [name, preset]));
    const quick = lab.variations!.find(({ name }) => name === 'quick')!.params;
    const run = (number: number, parameters: object, more: Partial<RunRecord> = {}): RunRecord =>
      record({
        number,
        id: `run${number}`,
        state: 'done',
        parameters: { ...presets, ...parameters },
        ...more,
      });
    const runs = [
      run(9, quick, { state: 'failed' }),
      run(8, { ...quick, depth: 7 }),
      run(7, quick),
      run(6, quick),
      run(5, {}),
      run(4, {}, { lab: 'latency' }),
    ];
    expect(variationRuns(lab, runs).map(({ number }) => number)).toEqual([5, 7]);
    expect(variationRuns(lab, [])).toEqual([]);
  });
});
