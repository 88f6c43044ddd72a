import { describe, expect, it } from 'vitest';
import { hasFilled, MAX_ROW_NAMES, rowOf, zRunRecord, zRunRow, type RunRecord } from '../src/index.js';

const round = {
  ...{ goodputGbps: 2, messagesPerSecond: 1, cpuSecondsPerGB: null, latencyUs: null },
  ...{ bytes: 1, messages: 1, seconds: 1 },
};
const system = { hostname: 'a', cpu: 'b', cpus: 2, kernel: 'c', verbslab: 'd' };

const record = (results: Partial<NonNullable<NonNullable<RunRecord['result']>['results']>> = {}) =>
  zRunRecord.parse({
    ...{ id: 'abcdefghij', number: 7, lab: 'bulk', title: 'Bulk', mode: 'all', state: 'done' },
    ...{ parameters: { size: 4096 }, createdAt: 1, startedAt: 2, endedAt: 3, waitingFor: null },
    ...{ progress: null, lastSeq: 9, recordedBytes: 1, droppedRecords: 0, capture: null, error: null },
    tags: ['rnr'],
    result: {
      ...{ lab: 'bulk', state: 'done', provider: 'user-space', device: 'uroce0', parameters: { size: 4096 } },
      transports: { rdma: { ...round, rounds: [round, round, round] } },
      checks: [{ id: 'equal', ok: true, detail: 'x'.repeat(9000) }],
      notes: [{ text: 'y'.repeat(9000) }],
      endpoints: [{ role: 'client', host: 'local', device: 'uroce0', providerClass: 'user-space', system }],
      problems: 2,
      answer: 'z'.repeat(9000),
      program: { exitCode: 3, signal: null, system },
      captureFile: '/somewhere',
      results: { figures: { first: { value: 4, min: 3, max: 5, n: 3 } }, ...results },
    },
  });

describe('the row of a run', () => {
  it('has what a list shows', () => {
    const row = rowOf(record());
    expect(zRunRow.parse(row)).toEqual(row);
    expect(row).toMatchObject({ number: 7, tags: ['rnr'], parameters: { size: 4096 } });
    expect(row.result).toMatchObject({
      provider: 'user-space',
      problems: 2,
      transports: { rdma: { goodputGbps: 2, roundCount: 3 } },
      results: { figures: { first: { value: 4, min: 3, max: 5, n: 3 } } },
      program: { exitCode: 3, signal: null },
      endpoints: [{ role: 'client', host: 'local', device: 'uroce0' }],
    });
  });

  it('is small, whatever the record holds', () => {
    const cells = Array.from({ length: 50_000 }, (_, x) => ({ x }));
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`figure ${n}`, { value: n }]));
    const long = { [`n${'a'.repeat(100_000)}`]: { value: 1 } };
    const row = rowOf(
      record({
        figures: { ...long, ...many },
        tables: { trace: cells, [`t${'a'.repeat(100_000)}`]: cells },
        curves: { c: cells.map(({ x }) => ({ x, y: 1 })) },
      }),
    );
    expect(JSON.stringify(row).length).toBeLessThan(6000);
    expect(Object.keys(row.result!.results!.figures)).toHaveLength(MAX_ROW_NAMES);
  });

  it('names the tables and curves that are not empty', () => {
    const row = rowOf(record({ tables: { ways: [{ x: 1 }], none: [] }, curves: { c: [{ x: 1, y: null }] } }));
    expect([hasFilled(row, ['ways', 'c']), hasFilled(row, ['ways', 'none']), hasFilled(row, ['d'])]).toEqual([
      true,
      false,
      false,
    ]);
    expect(hasFilled(rowOf(record()), ['ways'])).toBe(false);
  });

  it('takes names of an object’s own members as any other', () => {
    const figures = JSON.parse('{"__proto__": {"value": 1}, "constructor": {"value": 2}}') as Record<
      string,
      { value: number }
    >;
    const kept = rowOf(record()).result!;
    expect(Object.keys(kept.results!.figures)).toEqual(['first']);
    const run = record();
    run.result!.results!.figures = figures;
    expect(Object.entries(rowOf(run).result!.results!.figures)).toEqual([
      ['__proto__', { value: 1 }],
      ['constructor', { value: 2 }],
    ]);
  });
});
