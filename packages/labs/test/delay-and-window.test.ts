import { expect, it } from 'vitest';
import { enough } from '../src/delay-and-window/measure.js';

it('finds the smallest window that carries enough, whatever the order', () => {
  const points = [
    { window: 8, gbps: 6 },
    { window: 1, gbps: 1 },
    { window: 4, gbps: 5 },
    { window: 2, gbps: 2 },
  ];
  expect(enough(points, 5)).toBe(4);
  expect(enough(points, 0)).toBe(1);
});

it('finds none where the delay is too long for every window', () => {
  expect(enough([{ window: 64, gbps: 11.5 }], 33.4 / 2)).toBeNull();
});
