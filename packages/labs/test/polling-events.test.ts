import { describe, expect, it } from 'vitest';
import { lossOf, misfitOf, neverSlept, type Counted } from '../src/polling-events/verdict.js';

const GOOD: Counted = {
  messages: 10,
  answers: 10,
  wrong: 0,
  left: 0,
  arms: 9,
  rechecks: 2,
  sleeps: 7,
  events: 8,
};

describe('the checks of polling and events', () => {
  it('take counts that fit together', () => {
    expect(lossOf(GOOD)).toBeNull();
    expect(misfitOf('event', GOOD)).toBeNull();
    expect(misfitOf('adaptive', { ...GOOD, arms: 0, rechecks: 0, sleeps: 0, events: 0 })).toBeNull();
    expect(misfitOf('poll', { ...GOOD, arms: 0, rechecks: 0, sleeps: 0, events: 0 })).toBeNull();
  });

  it.each([{ answers: 9 }, { wrong: 1 }, { left: 1 }])('fail for lost messages: %o', (over) => {
    expect(lossOf({ ...GOOD, ...over })).not.toBeNull();
  });

  it.each([
    ['an event without arming', { events: 10 }],
    ['a sleep that no event ended', { events: 6 }],
    ['an arm that led to nothing', { arms: 10 }],
    ['more finds than messages', { rechecks: 11, arms: 18 }],
  ])('fail for %s', (_, over) => {
    expect(misfitOf('event', { ...GOOD, ...over })).not.toBeNull();
  });

  it('cannot tell of a server that waits for events and never slept', () => {
    const awake = { ...GOOD, sleeps: 0, arms: 2, events: 2 };
    expect(misfitOf('event', awake)).toBeNull();
    expect((['poll', 'event', 'adaptive'] as const).filter((way) => neverSlept(way, awake))).toEqual([
      'event',
    ]);
    expect(neverSlept('event', GOOD)).toBe(false);
  });

  it('fail for events at a server that polls', () => {
    expect(misfitOf('poll', { ...GOOD, arms: 0, rechecks: 0, sleeps: 0, events: 1 })).toMatch(/1 event$/);
  });
});
