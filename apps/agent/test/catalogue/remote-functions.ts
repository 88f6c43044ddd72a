/** Functions that a peer ships. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const remoteExecution: Facts = {
  params: { largest: 262_144, rounds: 3, repeat: 2 },
  holds: ({ curves, figures, outcomes, rows }) => {
    expect(rows('refusals').map(({ code, status }) => [code, status])).toEqual([
      ['LAMBDA_UNSIGNED', 1],
      ['LAMBDA_ALTERED', 2],
      ['LAMBDA_UNKNOWN_SIGNER', 3],
      ['LAMBDA_NOT_MODULE', 4],
      ['LAMBDA_IMPORTS', 5],
      ['LAMBDA_MEMORY', 6],
      ['none', 0],
      ['LAMBDA_TIME', 7],
      ['LAMBDA_TRAP', 8],
      ['LAMBDA_RESULT', 9],
    ]);
    expect(outcomes.loop).toBe('stopped');
    expect(outcomes.even).toMatch(/^(small|middle|large)$/);
    expect(outcomes.large).toMatch(/^(ship|read|unclear)$/);
    expect(figures.grown).toBe(16 * 1024 * 1024);
    // The limit, and no less.
    expect(figures.stopped).toBeGreaterThanOrEqual(100);
    expect(curves.time).toHaveLength(3 * 3 * 2);
    const times = rows('times');
    expect(times.map(({ size, payload }) => [size, payload])).toEqual(
      [4096, 32_768, 262_144].flatMap((size) => [
        [size, figures.image! + 4],
        [size, 4],
        [size, size],
      ]),
    );
    for (const { min, median, max, n } of times as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
      expect(n).toBe(2);
    }
    expect(rows('stages')).toHaveLength(4);
  },
};

export const REMOTE_FUNCTIONS: Record<string, Facts> = { 'remote-execution': remoteExecution };
