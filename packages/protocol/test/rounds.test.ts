import { describe, expect, it } from 'vitest';
import { wideSpreadText } from '../src/index.js';

const figure = (gbps: number): string => gbps.toFixed(1);

describe('rounds that differ widely', () => {
  it('are said of each transport whose fastest is above 1.5 times its slowest, with what helps', () => {
    const text = wideSpreadText(
      [
        { name: 'RDMA/UDP', goodput: { min: 10, max: 15.1 } },
        { name: 'RDMA/shm', goodput: { min: 40, max: 60 } },
        { name: 'TCP', goodput: { min: 0, max: 2 } },
      ],
      figure,
    );
    expect(text).toBe(
      'Rounds differ widely: RDMA/UDP from 10.0 to 15.1 Gb/s, TCP from 0.0 to 2.0 Gb/s (fastest above 1.5× the slowest). ' +
        'Other programs may have used the CPU. Close them, or measure longer, or in more rounds.',
    );
  });

  it('are not said of one round, of no rounds, or of rounds that agree', () => {
    for (const goodput of [{ min: 7, max: 7 }, { min: 0, max: 0 }, { min: 10, max: 15 }, null, undefined])
      expect(wideSpreadText([{ name: 'TCP', goodput }], figure)).toBeNull();
  });
});
