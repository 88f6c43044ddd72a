import { describe, expect, it } from 'vitest';
import { canMove, isFinal, RUN_STATES, type RunState } from '../src/index.js';

describe('the run state machine', () => {
  it('goes forward through its states and nowhere else', () => {
    const path: RunState[] = ['created', 'preparing', 'running', 'draining', 'done'];
    for (const [index, from] of path.entries()) {
      for (const to of path)
        expect([from, to, canMove(from, to)]).toEqual([from, to, to === path[index + 1]]);
    }
  });

  it('can end early from every state that is not an end', () => {
    for (const from of RUN_STATES) {
      for (const to of ['failed', 'cancelled', 'interrupted'] as const) {
        expect(canMove(from, to)).toBe(!isFinal(from));
      }
    }
  });

  it('never leaves an end', () => {
    const ends = RUN_STATES.filter(isFinal);
    expect(ends).toEqual(['done', 'failed', 'cancelled', 'interrupted']);
    for (const from of ends) for (const to of RUN_STATES) expect(canMove(from, to)).toBe(false);
  });
});
