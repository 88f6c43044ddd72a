import fc from 'fast-check';
import { expect, it } from 'vitest';
import { binsOf } from '../src/parts/timeline/draw/bins';
import { xOf } from '../src/parts/timeline/draw/pen';
import { EventStream } from '../src/parts/timeline/model/stream';

const seed = Number(process.env.TIMELINE_SEED ?? Date.now() % 1_000_000);
const WIDTH = 300;

it(`columns of a view that moves hold each event in view once, at most a pixel from its place (seed ${seed})`, () => {
  const times = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 2000, size: 'max' });
  const moves = fc.array(fc.double({ min: -1.5, max: 1.5, noNaN: true }), { maxLength: 12 });
  fc.assert(
    fc.property(times, fc.integer({ min: 50, max: 60_000 }), moves, (list, span, parts) => {
      const t = Float64Array.from(list.toSorted((a, b) => a - b));
      const stream = new EventStream(
        t,
        Uint32Array.from(t, (_, i) => i),
        Float64Array.from(t, (_, i) => (i * 7919) % 1000),
      );
      let from = 40_000;
      for (const part of [0, ...parts]) {
        from += part * span;
        const view = { from, to: from + span, width: WIDTH };
        const bins = binsOf(stream, view);
        const { edges, columns } = bins;
        expect(edges[0]).toBeLessThanOrEqual(stream.at(view.from));
        expect(edges[columns]).toBeGreaterThanOrEqual(stream.at(view.to));
        const { least, most } = bins.values;
        for (let x = 0; x < columns; x++) {
          expect(edges[x + 1]).toBeGreaterThanOrEqual(edges[x]!);
          expect([least[x], most[x]]).toEqual(stream.range(edges[x]!, edges[x + 1]!));
          for (let i = edges[x]!; i < edges[x + 1]!; i++)
            expect(Math.abs(xOf(view, stream.time(i)) - x - 0.5)).toBeLessThan(1.51);
        }
      }
    }),
    { seed, numRuns: 15 },
  );
});
