import { decodeCompletions } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { CompletionRing } from '../src/model/completion-ring';
import { newest } from '../src/model/completion-snapshot';
import { Stream } from './stream';

const columns = (n: number, from = 0, status = 0) =>
  decodeCompletions(new Stream().completions(1, n, { from, status }));

describe('the ring of completions', () => {
  it('keeps the newest and counts all', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 1000, columns(5), 0);
    ring.push(1, 2000, columns(6, 100), 0);
    expect([ring.total, ring.length]).toEqual([11, 8]);
    const all = ring.snapshot(8);
    expect(newest(all, 0)).toMatchObject({
      number: 11,
      wrId: 105,
      t: 2050,
      byteLen: 4096,
      opcode: 1,
      status: 0,
    });
    expect(newest(all, 5)).toMatchObject({ number: 6, wrId: 100 });
    expect(newest(all, 7)).toMatchObject({ number: 4, wrId: 3, t: 1030 });
    expect(newest(all, 8)).toBeNull();
  });

  it('counts flushes apart from errors', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 0, columns(3, 0, 5), 0);
    ring.push(1, 0, columns(2, 0, 12), 0);
    expect(ring.snapshot(8)).toMatchObject({ total: 5, errors: 2, flushes: 3 });
  });

  it('takes a frame longer than itself', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 0, columns(3), 0);
    ring.push(1, 0, columns(21, 100), 0);
    expect(ring.total).toBe(24);
    const all = ring.snapshot(8);
    expect(Array.from({ length: 8 }, (_, k) => newest(all, k)!.wrId)).toEqual([
      120, 119, 118, 117, 116, 115, 114, 113,
    ]);
  });

  it('counts errors in all of it, not only in what it keeps', () => {
    const ring = new CompletionRing(4);
    ring.push(1, 0, columns(10, 0, 12), 0);
    ring.push(1, 0, columns(10), 0);
    expect(ring.errors).toBe(10);
  });

  it('marks dropped detail where it is missing', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 0, columns(2), 0);
    ring.push(1, 0, columns(2), 40);
    ring.addDropped(5);
    ring.addDropped(1);
    expect(ring.dropped).toBe(46);
    expect(ring.drops).toEqual([
      { before: 3, records: 40 },
      { before: 5, records: 6 },
    ]);
  });

  it('gives a copy that stays still', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 0, columns(3), 0);
    const still = ring.snapshot(8);
    ring.push(1, 0, columns(8, 50), 0);
    expect(still).toMatchObject({ total: 3, kept: 3 });
    expect(newest(still, 0)!.wrId).toBe(2);
  });

  it('gives the newest few of all that it keeps, across its own end too', () => {
    const ring = new CompletionRing(8);
    ring.push(1, 0, columns(7), 0);
    ring.push(2, 0, columns(3, 100), 0);
    const few = ring.snapshot(4);
    expect(few).toMatchObject({ total: 10, kept: 8 });
    expect([0, 1, 2, 3].map((k) => newest(few, k))).toMatchObject([
      { number: 10, wrId: 102, source: 2 },
      { number: 9, wrId: 101, source: 2 },
      { number: 8, wrId: 100, source: 2 },
      { number: 7, wrId: 6, source: 1 },
    ]);
    expect(newest(few, 4)).toBeNull();
  });

  it('takes a million records in a fraction of a second', () => {
    const ring = new CompletionRing();
    const frame = columns(4096);
    const start = process.cpuUsage();
    for (let i = 0; i < 245; i++) ring.push(1, i, frame, 0);
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    console.log(`1,003,520 records in ${ms.toFixed(1)} ms of CPU time`);
    expect(ring.total).toBe(245 * 4096);
    // The bound is loose because caches are shared; the figure printed is what counts.
    expect(ms).toBeLessThan(500);
  });
});
