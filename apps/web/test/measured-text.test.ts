import type { RunResult, TransportResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { measuredText } from '../src/model/measured-text';
import { record } from './stream';

const round = { goodputGbps: 1, messagesPerSecond: 1, cpuSecondsPerGB: null, bytes: 1, messages: 1 };
const measured = (seconds: number, rounds: number): TransportResult => ({
  ...round,
  ...{ latencyUs: null, seconds },
  rounds: Array.from({ length: rounds }, () => ({ ...round, seconds: seconds / rounds })),
});

const said = (transports: Partial<RunResult['transports']>, transport = 'all-in-turn'): string | undefined =>
  measuredText(record({ parameters: { transport }, result: { transports } as RunResult }))?.replaceAll(
    '\u00a0',
    ' ',
  );

describe('how long a run was measured', () => {
  it('is divided into transports and rounds, as its parameters are', () => {
    const each = measured(5.003, 3);
    // A round ends a little late.
    expect(said({ rdma: each, shm: measured(5.1, 3), tcp: measured(5, 3) })).toBe(
      'measured for 15 s (3 transports × 5.0 s, each in 3 rounds)',
    );
    expect(said({ rdma: measured(5, 1), tcp: measured(5, 1) })).toBe(
      'measured for 10 s (2 transports × 5.0 s)',
    );
    expect(said({ rdma: each, tcp: each }, 'both-at-once')).toBe(
      'measured for 5.0 s (2 transports at once, each in 3 rounds)',
    );
  });

  it('is one time where one transport was measured', () => {
    expect(said({ tcp: measured(5, 3) }, 'tcp')).toBe('measured for 5.0 s in 3 rounds');
    expect(said({ tcp: measured(0.5, 1) }, 'tcp')).toBe('measured for 0.5 s');
  });

  it('divides nothing equally that was not equal', () => {
    expect(said({ rdma: measured(5, 3), tcp: measured(2, 1) })).toBe('measured for 7.0 s (2 transports)');
  });

  it('is not said of a run that measured nothing', () => expect(said({})).toBeUndefined());
});
