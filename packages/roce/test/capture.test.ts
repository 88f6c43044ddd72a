// Capture files: pcapng and classic pcap, read and written, also by tshark.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkType, PcapngWriter, readCapture, writePcap, writePcapng } from '../src/index.js';
import type { CaptureRecord, RecordToWrite } from '../src/index.js';
import { captureBytes, capturePath, captures } from './lib/testdata.js';
import { hasTshark, tshark, withFile } from './lib/tshark.js';

const bare = (r: CaptureRecord): Omit<CaptureRecord, 'fileOffset'> => {
  const { fileOffset: _, ...rest } = r;
  return rest;
};

/** Comparing bytes one by one is slow in the test runner. */
const digest = (r: CaptureRecord): string => `${r.timeNs} ${Buffer.from(r.data).toString('base64')}`;

const record = fc.record(
  {
    timeNs: fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }),
    data: fc.uint8Array({ maxLength: 200 }),
    interfaceId: fc.integer({ min: 0, max: 1 }),
    comments: fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 2 }),
    direction: fc.constantFrom('in' as const, 'out' as const),
  },
  { requiredKeys: ['timeNs', 'data'] },
);

/** A pcapng file in big-endian byte order, by a second writer. */
function bigEndianPcapng(data: Uint8Array, timeMs: bigint): Uint8Array {
  const u32 = (...values: number[]) =>
    values.flatMap((v) => [v >>> 24, (v >>> 16) & 255, (v >>> 8) & 255, v & 255]);
  const u16 = (...values: number[]) => values.flatMap((v) => [v >>> 8, v & 255]);
  const section = [u32(0x0a0d0d0a, 28, 0x1a2b3c4d), u16(1, 0), u32(0xffffffff, 0xffffffff, 28)];
  // Milliseconds, and an offset of -1 second.
  const resolution = [u16(9, 1), [3, 0, 0, 0]];
  const offset = [u16(14, 8), u32(0xffffffff, 0xffffffff)];
  const interfaces = [u32(1, 44), u16(101, 0), u32(0), ...resolution, ...offset, u16(0, 0), u32(44)];
  const pad = new Array<number>(-data.length & 3).fill(0);
  const length = 32 + data.length + pad.length;
  const time = [Number(timeMs >> 32n), Number(timeMs & 0xffffffffn)];
  const packet = [u32(6, length, 0, ...time, data.length, data.length), [...data], pad, u32(length)];
  return Uint8Array.from([...section, ...interfaces, ...packet].flat());
}

describe('pcapng', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 10 }),
        fc.array(fc.string(), { maxLength: 2 }),
        (records, comments) => {
          const file = writePcapng(
            [
              { linkType: LinkType.ETHERNET, name: 'eth0', description: 'one' },
              { linkType: LinkType.RAW, snapLength: 96 },
            ],
            records as RecordToWrite[],
            { application: 'verbslab', comments },
          );
          const capture = readCapture(file);
          expect(capture.error).toBeUndefined();
          expect(capture).toMatchObject({
            format: 'pcapng',
            littleEndian: true,
            application: 'verbslab',
            comments,
          });
          expect(capture.interfaces).toEqual([
            { linkType: 1, snapLength: 0, name: 'eth0', description: 'one', ticksPerSecond: 1_000_000_000n },
            { linkType: 101, snapLength: 96, ticksPerSecond: 1_000_000_000n },
          ]);
          expect(capture.records.map(bare)).toEqual(
            records.map((r) => {
              const interfaceId = r.interfaceId ?? 0;
              const linkType = interfaceId === 0 ? LinkType.ETHERNET : LinkType.RAW;
              return { ...r, interfaceId, linkType, originalLength: r.data.length };
            }),
          );
        },
      ),
    );
  });

  it('may be written piece by piece', () => {
    const records = readCapture(captureBytes(captures[0])).records;
    const writer = new PcapngWriter([{ linkType: LinkType.ETHERNET }]);
    const pieces = [writer.header(), ...records.map((r) => writer.record(r))];
    expect(Buffer.concat(pieces).equals(writePcapng([{ linkType: LinkType.ETHERNET }], records))).toBe(true);
  });

  it('may have the other byte order, another resolution and a time offset', () => {
    const data = Uint8Array.of(0x45, 1, 2, 3, 4);
    const capture = readCapture(bigEndianPcapng(data, 1_700_000_000_123n));
    expect(capture.error).toBeUndefined();
    expect(capture.littleEndian).toBe(false);
    expect(capture.records.map(bare)).toEqual([
      { timeNs: 1_699_999_999_123_000_000n, linkType: 101, interfaceId: 0, data, originalLength: 5 },
    ]);
  });

  it('may hold several sections, each with interfaces of its own', () => {
    const one = writePcapng([{ linkType: LinkType.ETHERNET }], [{ timeNs: 1n, data: Uint8Array.of(1) }]);
    const two = bigEndianPcapng(Uint8Array.of(2), 2000n);
    const { records, error } = readCapture(Uint8Array.from([...one, ...two, ...one]));
    expect(error).toBeUndefined();
    expect(records.map((r) => [r.linkType, r.interfaceId, r.timeNs])).toEqual([
      [1, 0, 1n],
      [101, 1, 1_000_000_000n],
      [1, 2, 1n],
    ]);
  });

  it('refuses to write what does not fit', () => {
    expect(() => writePcapng([], [])).toThrow(RangeError);
    const one = [{ linkType: LinkType.RAW }];
    expect(() => writePcapng(one, [{ timeNs: -1n, data: new Uint8Array() }])).toThrow(RangeError);
    expect(() => writePcapng(one, [{ timeNs: 0n, data: new Uint8Array(), interfaceId: 1 }])).toThrow(
      RangeError,
    );
    expect(() => writePcap(101, [{ timeNs: 1n << 63n, data: new Uint8Array() }])).toThrow(RangeError);
  });
});

describe('classic pcap', () => {
  it('comes back as it was written', () => {
    // An empty packet of 1970 is 16 zeros, like the end of a file after a crash.
    const written = record.filter(({ timeNs, data }) => timeNs > 0n || data.length > 0);
    fc.assert(
      fc.property(fc.array(written, { maxLength: 10 }), (records) => {
        const capture = readCapture(writePcap(LinkType.RAW, records as RecordToWrite[]));
        expect(capture.error).toBeUndefined();
        expect(capture.records.map((r) => [r.timeNs, r.data])).toEqual(
          records.map((r) => [r.timeNs, r.data]),
        );
      }),
    );
  });

  it('may have either byte order and resolution', () => {
    const little = writePcap(LinkType.RAW, [{ timeNs: 1_000_000_007_000n, data: Uint8Array.of(1, 2, 3, 4) }]);
    const big = little.slice();
    const view = new DataView(big.buffer);
    for (const at of [4, 6]) view.setUint16(at, view.getUint16(at, true));
    for (const at of [0, 8, 12, 16, 20, 24, 28, 32, 36]) view.setUint32(at, view.getUint32(at, true));
    expect(readCapture(big)).toMatchObject({
      littleEndian: false,
      records: [{ timeNs: 1_000_000_007_000n }],
    });
    view.setUint32(0, 0xa1b2c3d4); // this magic number makes them microseconds
    view.setUint32(28, 7);
    expect(readCapture(big).records[0]!.timeNs).toBe(1_000_000_007_000n);
  });
});

describe('modified pcap, of patched libpcaps', () => {
  it.each([true, false])('is read, little-endian: %s', (little) => {
    const data = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    const file = new Uint8Array(24 + 2 * 24 + 4);
    const view = new DataView(file.buffer);
    const put = (at: number, values: number[]) =>
      values.forEach((value, i) => view.setUint32(at + 4 * i, value, little));
    put(0, [0xa1b2cd34, 0, 0, 0, 65_535, LinkType.RAW]);
    view.setUint16(4, 2, little);
    view.setUint16(6, 4, little);
    let at = 24;
    for (const [i, bytes] of data.entries()) {
      // The longer record header ends with interface, protocol and type of packet.
      put(at, [1000, i, bytes.length, bytes.length, 7]);
      file.set(bytes, at + 24);
      at += 24 + bytes.length;
    }
    const { records, error } = readCapture(file);
    expect(error).toBeUndefined();
    expect(records.map((each) => [each.timeNs, [...each.data]])).toEqual([
      [1_000_000_000_000n, [1, 2, 3]],
      [1_000_000_001_000n, [4]],
    ]);
  });
});

describe.skipIf(!hasTshark)('tshark', () => {
  it('reads what we write, to the nanosecond and with comments', () => {
    const source = readCapture(captureBytes(captures[0])).records;
    const records = source.map((r, i) => ({
      ...r,
      timeNs: r.timeNs + BigInt(i),
      comments: i === 5 ? ['naïve ✓'] : [],
    }));
    withFile(writePcapng([{ linkType: LinkType.ETHERNET, name: 'uroce0' }], records), (path) => {
      const columns = [
        'frame.time_epoch',
        'frame.len',
        'infiniband.bth.psn',
        'frame.comment',
        'frame.interface_name',
      ];
      const lines = tshark('-r', path, '-T', 'fields', ...columns.flatMap((c) => ['-e', c]))
        .trimEnd()
        .split('\n');
      const original = tshark('-r', capturePath(captures[0]), '-T', 'fields', '-e', 'infiniband.bth.psn')
        .trimEnd()
        .split('\n');
      expect(lines.length).toBe(records.length);
      lines.forEach((line, i) => {
        const [time, length, psn, comment, name] = line.split('\t');
        expect(BigInt(time!.replace('.', ''))).toBe(records[i]!.timeNs);
        expect(Number(length)).toBe(records[i]!.data.length);
        expect(psn).toBe(original[i] ?? '');
        expect(comment).toBe(i === 5 ? 'naïve ✓' : '');
        expect(name).toBe('uroce0');
      });
    });
    withFile(writePcap(LinkType.ETHERNET, records), (path) => {
      const times = tshark('-r', path, '-T', 'fields', '-e', 'frame.time_epoch').trimEnd().split('\n');
      expect(times.map((t) => BigInt(t.replace('.', '')))).toEqual(records.map((r) => r.timeNs));
    });
  });

  it('writes what we read', () => {
    const expected = readCapture(captureBytes(captures[1])).records;
    withFile(new Uint8Array(0), (path) => {
      tshark('-r', capturePath(captures[1]), '-w', path, '-F', 'pcapng');
      const { records, error, format } = readCapture(new Uint8Array(readFileSync(path)));
      expect(error).toBeUndefined();
      expect(format).toBe('pcapng');
      expect(records.map(digest)).toEqual(expected.map(digest));
    });
  });
});
