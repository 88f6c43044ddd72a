import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureClock, offsetFrom, type Exchange } from '../src/peers/clock.js';

/** An exchange whose ways took `out` and `back` ns, the answer `own`, with the other clock ahead by `offset`. */
function exchange(asked: bigint, offset: bigint, out: bigint, own: bigint, back: bigint): Exchange {
  const received = asked + out + offset;
  return { asked, received, sent: received + own, answered: asked + out + own + back };
}

const ns = fc.bigInt({ min: 0n, max: 1_000_000_000n });

describe('the clock offset', () => {
  it('has the truth within its error bound, however uneven the two ways are', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.array(fc.tuple(ns, ns, ns), { minLength: 1, maxLength: 16 }),
        (offset, ways) => {
          const found = offsetFrom(
            ways.map(([out, own, back], index) =>
              exchange(10n ** 16n * BigInt(index + 1), offset, out, own, back),
            ),
            0,
          );
          expect(Math.abs((found?.offsetNs ?? NaN) - Number(offset))).toBeLessThanOrEqual(
            found?.errorNs ?? 0,
          );
          expect(found?.rttNs).toBe(Math.min(...ways.map(([out, , back]) => Number(out + back))));
        },
      ),
    );
  });

  it('leaves out answers that cannot be', () => {
    const good = exchange(1_000n, 5n, 40n, 10n, 60n);
    expect(
      offsetFrom(
        [
          { ...good, sent: good.received - 1n },
          { ...good, answered: good.asked },
        ],
        0,
      ),
    ).toBeNull();
    expect(offsetFrom([{ ...good, answered: good.asked }, good], 0)).toMatchObject({ rttNs: 100, rounds: 2 });
  });

  it('is nothing between a clock and itself, as closely as it says', async () => {
    const offset = await measureClock(() => {
      const now = process.hrtime.bigint();
      return Promise.resolve({ received: now, sent: process.hrtime.bigint() });
    }, 8);
    expect(Math.abs(offset?.offsetNs ?? NaN)).toBeLessThanOrEqual(offset?.errorNs ?? 0);
  });
});
