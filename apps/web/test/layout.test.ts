import { describe, expect, it } from 'vitest';
import { defaultLayout, MAX_HEIGHT, reconcile, resize, togglePin } from '../src/run/model/layout';

const specs = [
  { id: 'a', span: 7, height: 256 },
  { id: 'b', span: 5, height: 256 },
];

describe('the layout of panels', () => {
  it('is as designed until somebody changes it', () => {
    expect(reconcile(specs, null)).toEqual(defaultLayout(specs));
    expect(reconcile(specs, 'nonsense')).toEqual(defaultLayout(specs));
  });
  it('keeps what was saved, bounded, and drops panels that are no more', () => {
    expect(reconcile(specs, { a: { span: 99, height: 1e9, pinned: true }, gone: { span: 3 } })).toEqual({
      a: { span: 12, height: MAX_HEIGHT, pinned: true },
      b: { span: 5, height: 256, pinned: false },
    });
  });
  it('resizes on the grid and says when nothing changed', () => {
    const old = defaultLayout(specs);
    expect(resize(old, 'a', 6.6, 300).a).toEqual({ span: 7, height: 304, pinned: false });
    expect(resize(old, 'a', 7.2, 257)).toBe(old);
    expect(resize(old, 'nobody', 1, 1)).toBe(old);
  });
  it('pins and unpins', () => {
    const pinned = togglePin(defaultLayout(specs), 'b');
    expect(pinned.b!.pinned).toBe(true);
    expect(togglePin(pinned, 'b').b!.pinned).toBe(false);
  });
});
