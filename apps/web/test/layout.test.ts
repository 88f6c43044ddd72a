import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  defaultLayout,
  isDefault,
  MAX_HEIGHT,
  MAX_SPAN,
  MIN_SPAN,
  reconcile,
  resize,
  togglePin,
  type Layout,
} from '../src/model/layout';

const specs = [
  { id: 'a', span: 7, height: 256 },
  { id: 'b', span: 5, height: 256 },
];

function expectNoGap(shown: Layout, group: readonly string[]): void {
  expect(Object.keys(shown)).toEqual(group);
  let column = 0;
  let rowHeight = 0;
  for (const { span, height } of Object.values(shown)) {
    expect(span).toBeGreaterThanOrEqual(MIN_SPAN);
    if (column === 0) rowHeight = height;
    else expect(height).toBe(rowHeight);
    column += span;
    expect(column).toBeLessThanOrEqual(MAX_SPAN);
    if (column === MAX_SPAN) column = 0;
  }
  expect(column).toBe(0);
}

const ids = specs.map(({ id }) => id);

describe('the layout of panels', () => {
  it('is as designed until the user changes it', () => {
    expect(reconcile(specs, null)).toEqual(defaultLayout(specs));
    expect(reconcile(specs, 'nonsense')).toEqual(defaultLayout(specs));
  });
  it('keeps saved settings within bounds, and drops panels that no longer exist', () => {
    expect(reconcile(specs, { a: { span: 99, height: 1e9, pinned: true }, gone: { span: 3 } })).toEqual({
      a: { span: 12, height: MAX_HEIGHT, pinned: true },
      b: { span: 5, height: 256, pinned: false },
    });
  });
  it('gives and takes between neighbors, in one row of one height', () => {
    const old = defaultLayout(specs);
    const wider = resize(old, ids, 'a', 1, 44);
    expect(wider).toMatchObject({ a: { span: 8, height: 304 }, b: { span: 4, height: 304 } });
    // The last of a row takes from the one before.
    expect(resize(old, ids, 'b', 1, 0)).toMatchObject({ a: { span: 6 }, b: { span: 6 } });
    // No panel becomes narrower than its content needs.
    expect(resize(old, ids, 'a', 99, 0)).toMatchObject({ a: { span: 9 }, b: { span: 3 } });
    expect(resize(old, ids, 'a', 0.4, 3)).toBe(old);
    expect(resize(old, ids, 'nobody', 1, 1)).toBe(old);
  });
  it('leaves no gap, whatever was done to it', () => {
    const seed = Number(process.env.VERBSLAB_SEED ?? Date.now() % 2 ** 31);
    console.log(`layout seed ${seed}`);
    const panel = fc.record({
      span: fc.integer({ min: 3, max: 12 }),
      height: fc.integer({ min: 160, max: 480 }),
    });
    const step = fc.record({
      of: fc.nat(),
      pin: fc.boolean(),
      columns: fc.integer({ min: -5, max: 5 }),
      pixels: fc.integer({ min: -90, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(panel, { minLength: 1, maxLength: 9 }), fc.array(step), (sizes, steps) => {
        const all = sizes.map((size, i) => ({ id: `p${i}`, ...size }));
        let layout = defaultLayout(all);
        const groups = () =>
          [true, false].map((pinned) =>
            all.map(({ id }) => id).filter((id) => layout[id]!.pinned === pinned),
          );
        for (const { of, pin, columns, pixels } of steps) {
          const { id } = all[of % all.length]!;
          const group = groups().find((one) => one.includes(id))!;
          layout = pin ? togglePin(layout, id) : resize(layout, group, id, columns, pixels);
          for (const one of groups()) expectNoGap(arrange(one, layout), one);
        }
      }),
      { seed },
    );
  });
  it('says whether it is as designed', () => {
    const old = defaultLayout(specs);
    expect(isDefault(specs, old)).toBe(true);
    expect(isDefault(specs, togglePin(old, 'b'))).toBe(false);
    expect(isDefault(specs, resize(old, ids, 'a', 1, 0))).toBe(false);
  });
  it('pins and unpins', () => {
    const pinned = togglePin(defaultLayout(specs), 'b');
    expect(pinned.b!.pinned).toBe(true);
    expect(togglePin(pinned, 'b').b!.pinned).toBe(false);
  });
});
