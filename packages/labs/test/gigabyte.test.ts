import type { EndpointResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { joulesBetween } from '../src/gigabyte/costs.js';
import { callsOf, ratesOf } from '../src/load/calls.js';

describe('system calls per message', () => {
  const call = (name: string, count: number, empty = 0) =>
    ({ part: 'program', call: name, count, empty }) as const;

  it('are what the longer transfer makes more', () => {
    const rates = ratesOf(
      [call('sendto', 10), call('socket', 1), call('recvmsg', 30, 20)],
      [call('sendto', 20), call('socket', 1), call('recvmsg', 70, 50), call('futex', 5)],
      10,
    );
    expect(rates).toEqual([
      { part: 'program', call: 'sendto', perMessage: 1, emptyPerMessage: 0 },
      { part: 'program', call: 'socket', perMessage: 0, emptyPerMessage: 0 },
      { part: 'program', call: 'recvmsg', perMessage: 1, emptyPerMessage: 3 },
      { part: 'program', call: 'futex', perMessage: 0.5, emptyPerMessage: 0 },
    ]);
    expect(callsOf(rates, ['program'])).toBe(2.5);
    expect(callsOf(rates, ['device'])).toBe(0);
    expect(callsOf(rates, ['program'], (name) => name === 'sendto')).toBe(1);
  });
});

describe('energy between two looks', () => {
  const at = (machine: string, ...microjoules: number[]): EndpointResult<'energy'> => ({
    machine,
    packages: microjoules.map((one, i) => ({ name: `package-${i}`, microjoules: one, range: 1_000_000 })),
    refused: null,
  });

  it('counts each machine once, and counters that wrapped', () => {
    const joules = joulesBetween(
      [at('a', 0, 900_000), at('a', 0, 900_000)],
      [at('a', 500_000, 100_000), at('a', 500_000, 100_000)],
    );
    expect(joules).toBeCloseTo(0.7, 9);
    expect(joulesBetween([at('a', 0), at('b', 0)], [at('a', 500_000), at('b', 250_000)])).toBeCloseTo(
      0.75,
      9,
    );
  });

  it('is unknown where an end has no counter', () => {
    expect(joulesBetween([at('a', 0), at('b')], [at('a', 1), at('b')])).toBeNull();
  });
});
