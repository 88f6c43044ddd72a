import { describe, expect, it } from 'vitest';
import { contrast, tokens } from './lib/tokens';

const GROUND = ['page', 'panel', 'hover', 'accent-wash'];
const TEXT = ['ink', 'ink-2', 'ink-3'];
const INK = [
  'rdma-ink',
  'tcp-ink',
  'udp-ink',
  'cpu-ink',
  'retx-ink',
  'nak-ink',
  'error-ink',
  'ok-ink',
  'accent',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
];
const GRAPHIC = ['rdma', 'tcp', 'udp', 'retx', 'nak', 'error', 'line-strong'];

describe.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('contrast, %s', (_, selector) => {
  const t = tokens(selector);
  it.each(GROUND.flatMap((g) => TEXT.map((i) => [i, g] as const)))('%s on %s is readable', (i, g) =>
    expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(4.5),
  );
  it.each(INK.flatMap((i) => ['page', 'panel'].map((g) => [i, g] as const)))('%s on %s is readable', (i, g) =>
    expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(4.5),
  );
  it.each(GRAPHIC.flatMap((i) => ['page', 'panel'].map((g) => [i, g] as const)))(
    '%s on %s can be seen',
    (i, g) => expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(i === 'retx' ? 2 : 3),
  );
  it('shows the three parts of CPU time in distinct colors', () => {
    expect(contrast(t['cpu-app']!, t['cpu-nic']!)).toBeGreaterThanOrEqual(1.8);
    expect(contrast(t['cpu-nic']!, t['cpu-kernel']!)).toBeGreaterThanOrEqual(1.8);
  });
  it('writes on the accent and on error grounds', () => {
    expect(contrast(t['on-accent']!, t.accent!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(t['error-ink']!, t['error-wash']!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(t.ink!, t.field!)).toBeGreaterThanOrEqual(4.5);
  });
  it.each([
    ['on-data', 'rdma'],
    ['on-data', 'nak'],
    ['on-retx', 'retx'],
    ['page', 'error'],
    ['ink-3', 'sunken'],
  ])('%s on %s is readable', (i, g) => expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(4.5));
});
