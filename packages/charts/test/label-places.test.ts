import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_HEIGHT, movedApart, rowsAbove } from '../src/data/label-places.js';

describe('the names beside a chart', () => {
  it('stay where they are when there is room', () => {
    const names = [{ top: 20 }, { top: 60 }];
    expect(movedApart(names, { from: 10, to: 100 })).toEqual(names);
  });

  it('are a line apart, in their order, and never below the axis', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -50, max: 300, noNaN: true }), { maxLength: 10 }), (tops) => {
        const placed = movedApart(
          tops.map((top, name) => ({ name, top })),
          { from: 10, to: 250 },
        );
        for (const [at, one] of placed.entries()) {
          expect(one.top).toBeGreaterThanOrEqual(10 - 1e-9);
          expect(one.top).toBeLessThanOrEqual(250 + 1e-9);
          const next = placed[at + 1];
          if (!next) continue;
          expect(next.top - one.top).toBeGreaterThanOrEqual(LINE_HEIGHT - 1e-9);
          expect(tops[next.name]!).toBeGreaterThanOrEqual(tops[one.name]!);
        }
      }),
    );
  });
});

describe('the labels above a chart', () => {
  const range = [64, 600] as const;

  it('are in the lowest row unless the title or another label is there', () => {
    const labels = [
      { at: 300, width: 80 },
      { at: 340, width: 80 },
      { at: 70, width: 80 },
      { at: 590, width: 80 },
    ];
    expect(rowsAbove(labels, range, [20, 120])).toEqual([
      { left: 260, row: 0 },
      { left: 300, row: 1 },
      { left: 64, row: 1 },
      { left: 520, row: 0 },
    ]);
  });

  it('cover neither each other nor the title, and need no more rows than there are labels', () => {
    const label = fc.record({
      at: fc.integer({ min: 64, max: 584 }),
      width: fc.integer({ min: 20, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 6 }), (labels) => {
        const title = [20, 150] as const;
        const placed = rowsAbove(labels, range, title);
        const boxes = placed.map(({ left, row }, i) => ({ from: left, to: left + labels[i]!.width, row }));
        boxes.push({ from: title[0], to: title[1], row: 0 });
        for (const [i, a] of boxes.entries()) {
          expect(a.row).toBeLessThanOrEqual(labels.length);
          for (const b of boxes.slice(i + 1))
            if (a.row === b.row) expect(a.to <= b.from || b.to <= a.from).toBe(true);
        }
      }),
    );
  });
});
