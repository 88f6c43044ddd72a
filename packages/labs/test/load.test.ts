import { AppError, callFailed } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { cpuPerMessageOf } from '../src/load/loop.js';
import { isErrno } from '../src/load/posting.js';
import { bendOf, kneeOf, kneeText, powersOfTwo } from '../src/base/sweep.js';
import { loop } from './loop-result.js';

describe('a sweep', () => {
  it('doubles up to its end, which it always includes', () => {
    expect(powersOfTwo(8)).toEqual([1, 2, 4, 8]);
    expect(powersOfTwo(10)).toEqual([1, 2, 4, 8, 10]);
    expect(powersOfTwo(1)).toEqual([1]);
    expect(powersOfTwo(64, 16)).toEqual([16, 32, 64]);
  });

  it('has its knee where 90 % of the best is reached first', () => {
    const line = [1, 2, 4, 8, 8.5, 8.1];
    expect(kneeOf(line.map((y, i) => ({ x: 2 ** i, y })))).toBe(8);
    expect(kneeOf([{ x: 4, y: 5 }])).toBe(4);
    const bend = (...ys: number[]) => bendOf(ys.map((y, i) => ({ x: 2 ** i, y })));
    expect([bend(1, 10, 10), bend(10, 10, 10), bend(1, 5, 10), bend(1, 10)]).toEqual([2, null, null, null]);
  });

  it('names a knee only where the curve flattens between its ends, and says what it shows instead', () => {
    const said = (...ys: number[]) => {
      const points = ys.map((y, i) => ({ x: 2 ** i, y }));
      return [bendOf(points), kneeText(points, (x) => `lists of ${x}`)];
    };
    expect(said(1, 5, 10, 10)).toEqual([4, 'The knee is at lists of 4, the first with 90 % of the best.']);
    expect(said(1, 5, 9, 10)).toEqual([4, 'The knee is at lists of 4, the first with 90 % of the best.']);
    // The best lies before the end, and the end below it.
    expect(said(1, 5, 10, 6)[0]).toBe(4);
    const rising = 'The curve had not flattened by lists of 8, so its knee was not reached.';
    expect(said(1, 2, 5, 10)).toEqual([null, rising]);
    expect(said(9.5, 10, 9.7)).toEqual([null, 'There is no knee: lists of 1 already gave 90 % of the best.']);
    expect(said(1, 10)).toEqual([
      null,
      'The curve had not flattened by lists of 2, so its knee was not reached.',
    ]);
    expect(said(3)).toEqual([null, 'One setting shows no knee.']);
  });
});

it('knows the error of a verbs call', () => {
  const full = callFailed('VERBS', 'ibv_post_send', 'ENOMEM');
  expect(isErrno(full, 'ENOMEM')).toBe(true);
  expect(isErrno(full, 'EINVAL')).toBe(false);
  expect(isErrno(callFailed('SYSTEM', 'mmap', 'ENOMEM'), 'ENOMEM')).toBe(false);
  expect(isErrno(new AppError('BAD_HANDLE', { what: 'queue pair', handle: 1 }), 'ENOMEM')).toBe(false);
});

it('takes the CPU time per message from the repetitions that moved one', () => {
  const cpu = { appNs: 600, nicNs: 300, kernelNs: 100, processNs: 1000 };
  const rounds = [100, 0, 50].map((messages) => loop({ messages, cpu }));
  expect(cpuPerMessageOf(rounds)).toEqual({ value: 15, min: 10, max: 20, n: 2 });
});
