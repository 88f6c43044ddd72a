import type { EndpointHandle, EndpointLoopResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { bandwidth } from '../src/load/loop.js';
import type { Pair } from '../src/load/pair.js';
import { checkFigures, measuredAgain, TOO_BUSY, TRIES } from '../src/endpoints/too-busy.js';
import { loop } from './loop-result.js';

describe('a measurement on a busy machine', () => {
  it('is made again while it is empty, but not without end', async () => {
    const measure = async (found: readonly number[]) => {
      let made = 0;
      const value = await measuredAgain(
        () => Promise.resolve(found[made++] ?? 0),
        (one) => one === 0,
      );
      return { value, made };
    };
    expect(await measure([7])).toEqual({ value: 7, made: 1 });
    expect(await measure([0, 0, 7])).toEqual({ value: 7, made: 3 });
    expect(await measure([])).toEqual({ value: 0, made: TRIES });
  });

  /** A pair whose loops move these numbers of messages, one after the other. */
  function pairOf(moved: readonly number[]): { pair: Pair; started: () => number } {
    let started = 0;
    const call = (op: string): Promise<{ loop: number } | EndpointLoopResult> =>
      Promise.resolve(
        op === 'loop.start' ? { loop: started++ } : loop({ messages: moved[started - 1] ?? 0 }),
      );
    const endpoint = { name: 'client', has: () => true, call } as unknown as EndpointHandle;
    const end = { endpoint, qp: { qp: 1 }, mr: { mr: 1, addr: '0x0', rkey: 1, length: 64 } };
    return { pair: { client: end, server: end, link: null } as unknown as Pair, started: () => started };
  }

  it('is a loop that moved no message, unless losses may have filled it', async () => {
    const timed = { size: 64, durationMs: 20 };
    const busy = pairOf([0, 5]);
    expect((await bandwidth(busy.pair, timed)).messages).toBe(5);
    expect(busy.started()).toBe(2);
    const lossy = pairOf([0, 5]);
    expect((await bandwidth(lossy.pair, { ...timed, mayBeEmpty: true })).messages).toBe(0);
    expect(lossy.started()).toBe(1);
  });
});

describe('a check of figures', () => {
  it.each([
    { found: { holds: true, refuted: false }, says: ['check', true, 'Two is more than one.'] },
    { found: { holds: false, refuted: true }, says: ['check', false, 'Two is more than one.'] },
    {
      found: { holds: false, refuted: false },
      says: ['doesNotApply', null, `${TOO_BUSY}: Two is more than one.`],
    },
  ])('fails only where they say the opposite: $found', ({ found, says }) => {
    const said: unknown[] = [];
    const ctx = {
      check: (_: string, ok: boolean, detail: string) => void said.push('check', ok, detail),
      doesNotApply: (_: string, why: string) => void said.push('doesNotApply', null, why),
    };
    checkFigures(ctx, 'more', found, 'Two is more than one.');
    expect(said).toEqual(says);
  });
});
