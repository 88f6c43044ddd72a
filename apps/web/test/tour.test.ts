import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAP, placeCard } from '../src/tour/place-card';
import { STOPS } from '../src/tour/stops';

describe('the card of the tour', () => {
  const card = { width: 320, height: 190 };

  it('is whole inside a window that has room for it, and does not cover what it points at', () => {
    fc.assert(
      fc.property(
        fc.record({
          width: fc.integer({ min: 360, max: 3000 }),
          height: fc.integer({ min: 480, max: 2000 }),
        }),
        fc.record({
          x: fc.double({ min: 0, max: 1, noNaN: true }),
          y: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        (window, at) => {
          const size = { width: 60, height: 40 };
          const box = {
            ...size,
            left: at.x * (window.width - size.width),
            top: at.y * (window.height - size.height),
          };
          const place = placeCard(box, card, window);
          expect(place.left).toBeGreaterThanOrEqual(GAP);
          expect(place.top).toBeGreaterThanOrEqual(GAP);
          expect(place.left + card.width).toBeLessThanOrEqual(window.width - GAP);
          expect(place.top + card.height).toBeLessThanOrEqual(window.height - GAP);
          const apart =
            place.left >= box.left + box.width ||
            place.left + card.width <= box.left ||
            place.top >= box.top + box.height ||
            place.top + card.height <= box.top;
          expect(apart).toBe(true);
        },
      ),
    );
  });
});

describe('the tour', () => {
  it('is read in under a minute', () => {
    // 200 words a minute is a slow reader of plain text; two seconds go to finding each place.
    const words = STOPS.reduce((sum, { title, text }) => sum + `${title} ${text}`.split(/\s+/).length, 0);
    expect((words / 200) * 60 + 2 * STOPS.length).toBeLessThan(60);
  });
});
