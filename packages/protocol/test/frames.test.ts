import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFrame,
  COMPLETION_FIELDS,
  decodeCompletions,
  decodeHeader,
  decodeHistogram,
  decodePackets,
  decodeSeries,
  encodeCompletions,
  encodeHistogram,
  encodePackets,
  encodeSeries,
  endOfFrame,
  FRAME_HEADER_BYTES,
  FRAME_KINDS,
  FrameError,
  SERIES_FIELDS,
  stampFrame,
  type CompletionColumns,
  type FrameMeta,
  type PacketRecord,
  type SeriesRecord,
} from '../src/index.js';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const meta: fc.Arbitrary<Required<FrameMeta>> = fc.record({
  source: u32,
  t: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 2 ** 33 }),
  flags: fc.integer({ min: 0, max: 255 }),
  run: u32,
  seq: u32,
  dropped: u32,
});
const columns: fc.Arbitrary<CompletionColumns> = fc
  .nat(40)
  .chain((count) =>
    fc.record(
      Object.fromEntries(
        COMPLETION_FIELDS.map((field) => [
          field,
          fc.array(u32, { minLength: count, maxLength: count }).map((values) => Uint32Array.from(values)),
        ]),
      ) as Record<keyof CompletionColumns, fc.Arbitrary<Uint32Array>>,
    ),
  );
const series: fc.Arbitrary<SeriesRecord[]> = fc.array(
  fc.record(
    Object.fromEntries(SERIES_FIELDS.map((field) => [field, fc.double()])) as Record<
      keyof SeriesRecord,
      fc.Arbitrary<number>
    >,
    { noNullPrototype: true },
  ),
  { maxLength: 20 },
);

/** Equal bytes at an odd place of a larger buffer, as a reader of a pipe would cut them out. */
function shifted(frame: Uint8Array, by: number): Uint8Array {
  const buffer = new Uint8Array(frame.length + by);
  buffer.set(frame, by);
  return buffer.subarray(by);
}

describe('binary frames', () => {
  it('carry every header field', () => {
    fc.assert(
      fc.property(meta, columns, (m, c) => {
        expect(decodeHeader(encodeCompletions(m, c))).toEqual({
          ...m,
          kind: 'completions',
          count: c.dt.length,
        });
      }),
    );
  });

  it('carry completion columns, aligned or not', () => {
    fc.assert(
      fc.property(meta, columns, fc.nat(7), (m, c, by) => {
        const frame = shifted(encodeCompletions(m, c), by);
        expect(decodeCompletions(frame)).toEqual(c);
        expect(decodeCompletions(Buffer.from(frame.buffer, by))).toEqual(c);
      }),
    );
  });

  it('carry series, NaN and infinities included', () => {
    fc.assert(
      fc.property(meta, series, (m, records) => {
        expect(decodeSeries(encodeSeries(m, records))).toEqual(records);
      }),
    );
  });

  it('carry histograms as they are', () => {
    fc.assert(
      fc.property(meta, fc.uint8Array(), (m, bytes) => {
        expect(decodeHistogram(encodeHistogram(m, bytes))).toEqual(bytes);
      }),
    );
  });

  it('carry packets with times, lengths and bytes', () => {
    const packets = fc.array(
      fc.record({
        dt: fc.integer({ min: 0, max: 0xffff_ffff }),
        tapSeq: u32,
        direction: fc.constantFrom('sent' as const, 'received' as const),
        flags: fc.integer({ min: 0, max: 31 }),
        bytes: fc.uint8Array({ maxLength: 90 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(meta, packets, fc.nat(7), (m, list, by) => {
        const records: PacketRecord[] = list.map(({ dt, ...rest }) => ({
          ...rest,
          t: m.t + dt,
          origLen: rest.bytes.length,
        }));
        expect(decodePackets(shifted(encodePackets(m, records), by))).toEqual(records);
      }),
    );
  });

  it('refuse a packet outside the frame’s 4.29 seconds', () => {
    const packet: PacketRecord = {
      t: 10,
      tapSeq: 0,
      direction: 'sent',
      flags: 0,
      origLen: 0,
      bytes: new Uint8Array(),
    };
    expect(() => encodePackets({ source: 1, t: 11 }, [packet])).toThrow(FrameError);
    expect(() => encodePackets({ source: 1, t: 0 }, [{ ...packet, t: 2 ** 32 }])).toThrow(FrameError);
  });

  it('are stamped in place and otherwise left alone', () => {
    const frame = encodeHistogram({ source: 5, t: 6, flags: 1, dropped: 2 }, Uint8Array.of(1, 2, 3));
    const before = decodeHeader(frame);
    stampFrame(frame, 17, 99);
    expect(decodeHeader(frame)).toEqual({ ...before, run: 17, seq: 99 });
    expect(decodeHistogram(frame)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('give a FrameError, and nothing else, for any other bytes', () => {
    const attempt = (bytes: Uint8Array): void => {
      for (const decode of [decodeHeader, decodeSeries, decodeHistogram, decodeCompletions, decodePackets]) {
        try {
          decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), attempt), { numRuns: 2000 });
    // A valid frame with one byte changed, or cut short, gets further into the decoders.
    const frames = fc.tuple(meta, columns).map(([m, c]) => encodeCompletions(m, c));
    const packetFrame = encodePackets(
      { source: 1, t: 0 },
      [3, 8, 0, 61].map((size, index) => ({
        t: index,
        tapSeq: index,
        direction: 'sent' as const,
        flags: 0,
        origLen: size,
        bytes: new Uint8Array(size).fill(index),
      })),
    );
    fc.assert(
      fc.property(
        fc.oneof(frames, fc.constant(packetFrame)),
        fc.nat(),
        fc.nat(255),
        fc.nat(),
        (frame, at, value, cut) => {
          const changed = frame.slice();
          changed[at % changed.length] = value;
          attempt(changed);
          attempt(frame.slice(0, cut % frame.length));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('say what is wrong', () => {
    const frame = encodeSeries({ source: 1, t: 0 }, []);
    expect(() => decodeHeader(frame.slice(0, 31))).toThrow('shorter than a header');
    expect(() => decodeHeader(Uint8Array.from(frame, (byte, i) => (i === 0 ? 0 : byte)))).toThrow('magic');
    expect(() => decodeHeader(Uint8Array.from(frame, (byte, i) => (i === 1 ? 9 : byte)))).toThrow(
      'version 9',
    );
    expect(() => decodeHeader(Uint8Array.from(frame, (byte, i) => (i === 2 ? 77 : byte)))).toThrow('kind 77');
    expect(() => decodeCompletions(frame)).toThrow('a series frame, not completions');
  });

  it('have the layout that is documented', () => {
    const frame = encodeCompletions(
      { source: 0x01020304, t: 1, flags: 2, run: 3, seq: 4, dropped: 5 },
      Object.fromEntries(
        COMPLETION_FIELDS.map((field, i) => [field, Uint32Array.of(i)]),
      ) as CompletionColumns,
    );
    expect([...frame.slice(0, 4)]).toEqual([0xb5, 1, FRAME_KINDS.completions, 2]);
    expect([...frame.slice(12, 16)]).toEqual([4, 3, 2, 1]);
    expect(frame.length).toBe(FRAME_HEADER_BYTES + 32);
  });
});

describe('packets for frames', () => {
  const packet = fc.record({
    // Near each other and far apart, later and earlier than those before.
    t: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 2 ** 40 })),
    tapSeq: u32,
    direction: fc.constantFrom('sent' as const, 'received' as const),
    flags: fc.integer({ min: 0, max: 255 }),
    origLen: u32,
    bytes: fc.uint8Array({ maxLength: 100 }),
  });

  it('are cut into frames that can be encoded, whatever order their times have, and none is lost', () => {
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 50 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 0, max: 500 }),
        (packets, most, bytes) => {
          const back: PacketRecord[] = [];
          for (let from = 0; from < packets.length;) {
            const to = endOfFrame(packets, from, { most, bytes });
            expect(to).toBeGreaterThan(from);
            expect(to - from).toBeLessThanOrEqual(most);
            const frame = encodePackets({ source: 1, t: packets[from]!.t }, packets.slice(from, to));
            back.push(...decodePackets(frame));
            from = to;
          }
          expect(back).toEqual(packets);
        },
      ),
    );
  });
});

describe('checkFrame', () => {
  it('lets pass what can be decoded, and nothing else', () => {
    const base = encodePackets({ source: 1, t: 0 }, [
      { t: 5, tapSeq: 1, direction: 'sent', flags: 0, origLen: 9, bytes: new Uint8Array(9) },
      { t: 7, tapSeq: 2, direction: 'received', flags: 0, origLen: 3, bytes: new Uint8Array(3) },
    ]);
    fc.assert(
      fc.property(fc.nat(base.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const frame = new Uint8Array(base);
        frame[at] = value;
        const outcome = (read: (bytes: Uint8Array) => unknown): string => {
          try {
            read(frame);
            return 'fine';
          } catch (error) {
            expect(error).toBeInstanceOf(FrameError);
            return 'refused';
          }
        };
        const kind = frame[2];
        const decode =
          kind === FRAME_KINDS.packets
            ? decodePackets
            : kind === FRAME_KINDS.completions
              ? decodeCompletions
              : kind === FRAME_KINDS.series
                ? decodeSeries
                : decodeHistogram;
        expect(outcome(checkFrame)).toBe(outcome(decode));
      }),
    );
  });
});
