import type { LoopThreads } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import {
  heldNs,
  notExclusive,
  notOwn,
  timesContended,
  waitingPart,
} from '../src/queue-per-thread/verdict.js';

const SHARED: LoopThreads = {
  elapsedNs: 1000,
  cpus: 2,
  messages: [10, 12],
  posts: 22,
  postNs: 500,
  polls: 30,
  pollNs: 400,
  contended: 3,
  waitNs: 600,
  foreign: 5,
};
const OWN: LoopThreads = { ...SHARED, postNs: 900, pollNs: 900, contended: 0, waitNs: 0, foreign: 0 };

describe('the checks of queues for each thread', () => {
  it('take counts that fit together', () => {
    expect(notOwn(OWN)).toBeNull();
    expect(notExclusive(SHARED)).toBeNull();
    expect(timesContended([SHARED, OWN, SHARED])).toBe(6);
    expect(heldNs(SHARED)).toBe(900);
    expect(waitingPart(SHARED)).toBeCloseTo(0.3);
  });

  it('fail for own queues with a completion of another thread', () => {
    expect(notOwn({ ...OWN, foreign: 1 })).toBe(
      '1 completion came to a thread other than the one that posted',
    );
  });

  it('fail for a lock that two threads have at a time', () => {
    expect(notExclusive(OWN)).toMatch(/held the lock for 1\.80? µs in 1 µs/);
  });
});
