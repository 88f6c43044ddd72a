import { AppError } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { coveredBytes, pagesOf, sizesUpTo, tableBytes } from '../src/formulas/page-table.js';
import {
  faultsOfTouched,
  faultsOfUntouched,
  limit,
  locked,
  unaligned,
} from '../src/registration-cost/checks.js';
import type { Measured, Sweep } from '../src/registration-cost/sweep.js';
import { statOf } from '../src/base/sweep.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const PAGE = 4 * KIB;

describe('the arithmetic of translation tables', () => {
  it('gives the figures of the exercises', () => {
    expect(pagesOf(GIB, PAGE)).toBe(262_144);
    expect(tableBytes(262_144)).toBe(2_097_152);
    expect(coveredBytes(MIB, PAGE)).toBe(GIB / 2);
    expect(pagesOf(16 * GIB, PAGE)).toBe(4_194_304);
    expect(tableBytes(4_194_304)).toBe(32 * MIB);
  });

  it('counts a page of which a region has one byte', () => {
    expect(pagesOf(PAGE, PAGE, 2048)).toBe(2);
    expect(pagesOf(1, PAGE, PAGE - 1)).toBe(1);
    expect(pagesOf(2, PAGE, PAGE - 1)).toBe(2);
  });

  it('ends with the largest size', () => {
    expect(sizesUpTo(4, 64)).toEqual([4, 16, 64]);
    expect(sizesUpTo(4, 100)).toEqual([4, 16, 64, 100]);
  });
});

const one = statOf([1]);
const size = (over: Partial<Measured> = {}): Measured => ({
  size: MIB,
  register: { untouched: one, touched: one },
  deregister: one,
  untouchedSlower: 1,
  faults: { untouched: 256, touched: 0 },
  lockedBytes: MIB,
  ...over,
});
const swept = (measured: Measured, over: Partial<Sweep> = {}): Sweep => ({
  pageBytes: PAGE,
  memlockLimit: null,
  sizes: [measured],
  refused: null,
  ...over,
});

describe('the checks', () => {
  it('hold for what a device does', () => {
    expect(faultsOfUntouched(swept(size())).ok).toBe(true);
    expect(faultsOfTouched(swept(size())).ok).toBe(true);
    expect(locked(swept(size())).ok).toBe(true);
    expect(unaligned(2 * PAGE, PAGE, 2048, PAGE).ok).toBe(true);
    expect(limit(swept(size({ lockedBytes: PAGE }), { memlockLimit: PAGE })).ok).toBe(true);
  });

  it('fail for what it must not do', () => {
    expect(faultsOfUntouched(swept(size({ faults: { untouched: 0, touched: 0 } }))).ok).toBe(false);
    expect(faultsOfUntouched(swept(size({ faults: { untouched: 512, touched: 0 } }))).ok).toBe(false);
    expect(faultsOfTouched(swept(size({ faults: { untouched: 256, touched: 256 } }))).ok).toBe(false);
    expect(locked(swept(size({ lockedBytes: PAGE }))).ok).toBe(false);
    expect(unaligned(PAGE, PAGE, 2048, PAGE).ok).toBe(false);
    expect(limit(swept(size({ lockedBytes: MIB / 2 }), { memlockLimit: PAGE })).ok).toBe(false);
  });

  it('tell a limit from another reason of a refusal', () => {
    const error = new AppError('INTERNAL', { detail: '' });
    const refused = (bytes: number): boolean | null =>
      limit(swept(size(), { memlockLimit: 4 * MIB, refused: { size: bytes, error } })).ok;
    expect(refused(16 * MIB)).toBe(true);
    expect(refused(MIB)).toBe(false);
  });

  it('do not apply where nothing is reported or nothing is limited', () => {
    expect(locked(swept(size({ lockedBytes: 0 }))).ok).toBeNull();
    expect(unaligned(0, PAGE, 2048, PAGE).ok).toBeNull();
    expect(limit(swept(size())).ok).toBeNull();
    expect(limit(swept(size(), { memlockLimit: MIB })).ok).toBeNull();
    expect(limit(swept(size(), { memlockLimit: PAGE })).detail).toContain('CAP_IPC_LOCK');
  });

  it('tells transparent huge pages from a fault each', () => {
    const { ok, detail } = faultsOfUntouched(swept(size({ faults: { untouched: 1, touched: 0 } })));
    expect(ok).toBe(true);
    expect(detail).toContain('transparent huge pages');
  });
});
