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
    expect(outcomes.even).toMatch(/^(small|middle|large|never)$/);
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
    // The parts of a shipped call and their rest are the whole.
    const parts = ['verify', 'compile', 'crossing', 'run', 'rest'].map((part) => figures[part]!);
    expect(parts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(figures['large-ship']!, 3);
    expect(figures.again).toBeGreaterThan(0);
    expect(rows('stages')).toHaveLength(6);
  },
};

const fourModes: Facts = {
  params: { rounds: 10, repeat: 2 },
  holds: ({ figures, outcomes, rows }) => {
    const told = ['send', 'write', 'read', 'run'].map((mode) => figures[`told-${mode}`]);
    expect(told).toEqual([1, 1, 0, 1]);
    expect(outcomes.quiet).toBe('read');
    expect(rows('privileges').map(({ seen }) => seen)).toEqual([
      '11 REM_OP_ERR',
      '10 REM_ACCESS_ERR',
      '10 REM_ACCESS_ERR',
      '10 REM_ACCESS_ERR',
      'LAMBDA_UNKNOWN_SIGNER',
    ]);
    expect(rows('rights').map(({ client, server }) => [client, server])).toEqual([
      ['none', 'LOCAL_WRITE'],
      ['none', 'LOCAL_WRITE, REMOTE_WRITE'],
      ['LOCAL_WRITE', 'REMOTE_READ'],
      ['LOCAL_WRITE, REMOTE_WRITE', 'LOCAL_WRITE, REMOTE_WRITE'],
    ]);
    for (const { min, median, max, n } of rows('modes') as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
      expect(n).toBe(2);
    }
  },
};

export const REMOTE_FUNCTIONS: Record<string, Facts> = {
  'four-modes': fourModes,
  'remote-execution': remoteExecution,
};
