import { BLOCK, PacketClass, type CaptureStream } from '@verbslab/roce';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrivalStream, PlaceStream } from '../src/parts/timeline/capture/column-stream';
import { neighborOf } from '../src/parts/timeline/draw/neighbor';
import { EventStream } from '../src/parts/timeline/model/stream';

const seed = Number(process.env.TIMELINE_SEED ?? Date.now() % 1_000_000);
const property = { seed, numRuns: 100 };
const FIRST = 1000;

/** Every second packet of a capture, with their PSNs. */
function made(times: readonly number[]) {
  const t = Float64Array.from(times.toSorted((a, b) => a - b).flatMap((x) => [x, x]));
  const packets = Uint32Array.from(times, (_, i) => 2 * i);
  const places = Uint32Array.from(t, (_, i) => FIRST + ((i * 7919) % 5000));
  const n = Math.ceil(packets.length / BLOCK);
  const parts = Array.from({ length: n }, (_, b) => packets.subarray(b * BLOCK, (b + 1) * BLOCK));
  const ends = (pick: (...values: number[]) => number) =>
    Uint32Array.from(parts, (part) => pick(...Array.from(part, (packet) => places[packet]!)));
  const stream: CaptureStream = {
    of: PacketClass.request,
    from: 0,
    to: 1,
    requester: 0,
    packets,
    blocks: {
      t: Float64Array.from(parts, (part) => t[part[0]!]!),
      least: ends(Math.min),
      most: ends(Math.max),
    },
  };
  const plain = new EventStream(
    Float64Array.from(packets, (packet) => t[packet]!),
    packets,
    Float64Array.from(packets, (packet) => places[packet]! - FIRST),
  );
  return { stream, t, places, plain };
}

const times = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 12_000, size: 'max' });

describe(`streams over the columns of a capture (seed ${seed})`, () => {
  it('find and range what a stream of its own does', () => {
    fc.assert(
      fc.property(times, fc.array(fc.integer({ min: -2, max: 3002 }), { maxLength: 30 }), (list, asked) => {
        const { stream, t, places, plain } = made(list);
        const s = new PlaceStream(stream, t, places, FIRST);
        let from = 0;
        for (const time of asked.toSorted((a, b) => a - b)) {
          expect(s.at(time)).toBe(plain.at(time));
          expect(s.at(time, from)).toBe(plain.at(time, from));
          const to = s.at(time);
          expect(s.range(from, to)).toEqual(plain.range(from, to));
          from = to;
        }
        const i = asked.length % s.length;
        expect([s.time(i), s.value(i), s.item(i)]).toEqual([plain.time(i), plain.value(i), plain.item(i)]);
        expect(s.find(s.item(i))).toBe(i);
        expect(s.find(1)).toBe(-1);
        expect(s.find(1e9)).toBe(-1);
      }),
      property,
    );
  });

  it('know when a packet arrived that was captured at both ends', () => {
    const { stream, t } = made([10, 20]);
    const delays = new Float32Array(t.length).fill(NaN);
    delays[2] = 5;
    const s = new ArrivalStream(stream, t, delays);
    expect([s.value(0), s.value(1)]).toEqual([NaN, 25]);
    expect(new ArrivalStream(stream, t, null).value(1)).toBeNaN();
  });
});

describe('keys through the items of several streams', () => {
  it(`meet each once, in order of time, both ways (seed ${seed})`, () => {
    const few = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 });
    fc.assert(
      fc.property(few, few, (a, b) => {
        let ref = 0;
        const list = [a, b].map((part, i) => {
          const t = Float64Array.from(part.toSorted((x, y) => x - y));
          return {
            name: String(i),
            stream: new EventStream(
              t,
              Uint32Array.from(t, () => ref++),
            ),
          };
        });
        const all = list
          .flatMap(({ stream }) => Array.from(stream.t, (t, i) => ({ t, ref: stream.item(i) })))
          .sort((x, y) => x.t - y.t)
          .map((item) => item.ref);
        for (const by of [1, -1] as const) {
          const met: number[] = [];
          let item = neighborOf(list, null, by);
          while (item && item.ref !== met.at(-1)) {
            met.push(item.ref);
            item = neighborOf(list, item, by);
          }
          expect(met).toEqual(by === 1 ? all : all.toReversed());
        }
      }),
      property,
    );
  });
});
