import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  captureRecords,
  decodePacket,
  LinkType,
  PcapngWriter,
  readCapture,
  writePcap,
  writePcapng,
} from '../src/index.js';
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
    for (const [at, size] of [
      [0, 4],
      [4, 2],
      [6, 2],
      [8, 4],
      [12, 4],
      [16, 4],
      [20, 4],
      [24, 4],
      [28, 4],
      [32, 4],
      [36, 4],
    ] as const) {
      if (size === 4) view.setUint32(at, view.getUint32(at, true));
      else view.setUint16(at, view.getUint16(at, true));
    }
    expect(readCapture(big)).toMatchObject({
      littleEndian: false,
      records: [{ timeNs: 1_000_000_007_000n }],
    });
    view.setUint32(0, 0xa1b2c3d4); // the same numbers as microseconds
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

describe('damaged files', () => {
  const records = readCapture(captureBytes(captures[0])).records.slice(0, 12);
  const whole = {
    pcapng: writePcapng([{ linkType: LinkType.ETHERNET }], records),
    pcap: writePcap(LinkType.ETHERNET, records),
  };

  it.each(Object.entries(whole))('of %s cut anywhere keep all that came before', (_format, file) => {
    const ends = readCapture(file).records.map((r, i, all) => all[i + 1]?.fileOffset ?? file.length);
    for (let n = 0; n < file.length; n++) {
      const { records: read, error } = readCapture(file.subarray(0, n));
      const sound = ends.filter((end) => end <= n).length;
      expect(read.length, `${n} bytes`).toBe(sound);
      const clean = ends.includes(n) || n === readCapture(file).records[0]!.fileOffset;
      // A file that ends between two blocks has no fault.
      if (!clean && !(n > 0 && error === undefined && read.length === 0)) {
        expect(error, `${n} bytes`).toBeDefined();
        expect(error!.message).not.toBe('');
        expect(error!.offset).toBeLessThanOrEqual(n);
      }
    }
  });

  it.each([
    ['', 0, '0 bytes are too few for a capture file'],
    ['not a capture', 0, 'this is neither pcap nor pcapng (it begins with 0x6e6f7420)'],
  ])('%j is refused', (text, offset, message) => {
    expect(readCapture(new TextEncoder().encode(text)).error).toEqual({ offset, message });
  });

  it('say which packet is impossible', () => {
    const file = whole.pcap.slice();
    const at = readCapture(file).records[3]!.fileOffset;
    new DataView(file.buffer).setUint32(at + 8, 0x7fffffff, true);
    const capture = readCapture(file);
    expect(capture.records.length).toBe(3);
    expect(capture.error).toEqual({
      offset: at + 8,
      message: 'packet 4 claims 2147483647 bytes; the file is damaged here',
    });
  });

  it('say which block does not add up', () => {
    const file = whole.pcapng.slice();
    const at = readCapture(file).records[3]!.fileOffset;
    const view = new DataView(file.buffer);
    const length = view.getUint32(at + 4, true);
    view.setUint32(at + length - 4, 8, true);
    expect(readCapture(file).error).toEqual({
      offset: at + length - 4,
      message: `block lengths disagree (${length} and 8)`,
    });
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

/** A file of `count` empty packets: 32 bytes of file each, which is the most objects per byte of file. */
function emptyPackets(count: number): Uint8Array {
  const empty = { timeNs: 1n, data: new Uint8Array(0) };
  return writePcapng(
    [{ linkType: LinkType.ETHERNET }],
    Array.from({ length: count }, () => empty),
  );
}

function ethernet(tags: number): Uint8Array {
  const bytes = new Uint8Array(14 + 4 * tags);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < tags; i++) view.setUint16(12 + 4 * i, 0x8100);
  view.setUint16(12 + 4 * tags, 0x88cc);
  return bytes;
}

describe('a file that was made to fill a reader’s memory', () => {
  it('is listed up to a limit, and the rest is counted', () => {
    const capture = readCapture(emptyPackets(1000), 10);
    expect(capture.records).toHaveLength(10);
    expect(capture.omitted).toBe(990);
    expect(readCapture(emptyPackets(10), 10).omitted).toBe(0);
  });

  it('is read packet by packet: no packet is made before it is asked for', () => {
    const bytes = emptyPackets(1000);
    bytes[bytes.length - 1] = 1; // a damaged end, which only the last step finds
    const { head, records } = captureRecords(bytes);
    const walk = records[Symbol.iterator]();
    expect(walk.next().value).toMatchObject({ timeNs: 1n });
    expect(head.error).toBeUndefined();
    let rest = 0;
    while (!walk.next().done) rest++;
    expect(rest).toBe(998);
    expect(head.error?.message).toMatch(/block lengths disagree/);
  });

  it('keeps few comments of a packet and few interfaces', () => {
    const comments = Array.from({ length: 10_000 }, () => '');
    const { records } = readCapture(
      writePcapng([{ linkType: LinkType.RAW }], [{ timeNs: 0n, data: new Uint8Array(1), comments }]),
    );
    expect(records[0]!.comments).toHaveLength(256);
    const { interfaces, error } = readCapture(
      writePcapng(
        Array.from({ length: 70_000 }, () => ({ linkType: 1 })),
        [],
      ),
    );
    expect(interfaces).toHaveLength(65_536);
    expect(error?.message).toMatch(/more than 65536 interfaces/);
  });

  it('has its VLAN tags read up to a limit', () => {
    const sixteen = decodePacket(ethernet(16), LinkType.ETHERNET);
    expect(sixteen.layers.filter(({ id }) => id === 'vlan')).toHaveLength(16);
    expect(sixteen.error).toBeUndefined();
    const many = decodePacket(ethernet(16_000), LinkType.ETHERNET);
    expect(many.layers.filter(({ id }) => id === 'vlan')).toHaveLength(16);
    expect(many.error).toEqual({
      offset: 78,
      layer: 'vlan',
      message: 'more than 16 VLAN tags: the rest is not read',
    });
    expect(many.summary.kind).toBe('malformed');
  });

  it('has no more than 64 headers read', () => {
    const link = Uint8Array.from([...new Uint8Array(12), 0x08, 0x00]);
    // IPv4 with 40 bytes of options, over and over; then IPv6 whose next header is hop-by-hop options, over and over.
    const ipv4 = new Uint8Array(60 * 16_000);
    for (let at = 0; at < ipv4.length; at += 60) ipv4.set([0x4f, 0, 0, 0, 0, 0, 0, 0, 64, 4], at);
    const ipv6 = Uint8Array.from([0x60, 0, 0, 0, 0, 0, 0, 64, ...new Uint8Array(32 + 8 * 16_000)]);
    const most = (header: string, packet: Uint8Array) => {
      const { layers, error } = decodePacket(packet, LinkType.ETHERNET);
      expect(layers.filter(({ name }) => name === header).length).toBeLessThanOrEqual(64);
      expect(layers.length).toBeLessThanOrEqual(66);
      expect(error?.message).toBe('more than 64 headers: the rest is not read');
    };
    most('ip', Uint8Array.from([...link, ...ipv4]));
    link.set([0x86, 0xdd], 12);
    most('ipv6.hopopts', Uint8Array.from([...link, ...ipv6]));
  });
});

describe('what stands in a file besides packets', () => {
  const packet = { timeNs: 1_700_000_000_000_000_000n, data: new Uint8Array(60).fill(1) };
  const file = writePcap(LinkType.RAW, [packet, packet]);
  const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

  it('is named: a tail of zeros', () => {
    for (const zeros of [16, 40, 65_539]) {
      const { records, error } = readCapture(joined(file, new Uint8Array(zeros)));
      expect(records).toHaveLength(2);
      expect(error).toEqual({
        offset: file.length,
        message: `the file ends in ${zeros} zeros: its end was never written, as after a crash`,
      });
    }
    // An empty packet of 1970 still counts as a packet.
    const empty = writePcap(LinkType.RAW, [{ timeNs: 0n, data: new Uint8Array(0) }, packet]);
    expect(readCapture(empty)).toMatchObject({ records: [{ timeNs: 0n }, { timeNs: packet.timeNs }] });
  });

  it('is looked for in linear time', () => {
    const empty = { timeNs: 0n, data: new Uint8Array(0) };
    const { records, error } = readCapture(
      writePcap(LinkType.RAW, [...Array.from({ length: 200_000 }, () => empty), packet]),
    );
    expect(records).toHaveLength(200_001);
    expect(error).toBeUndefined();
  });

  it('is named: another file', () => {
    const { records, error } = readCapture(joined(file, writePcap(LinkType.ETHERNET, [packet])));
    expect(records).toHaveLength(2);
    expect(error).toEqual({
      offset: file.length,
      message: 'another capture file begins here: the files were joined with cat; join them with mergecap',
    });
  });

  it.each([0x13, 0x7f, 0xc0, 0xff])('may be a resolution of times that holds no date: 0x%s', (code) => {
    const ng = writePcapng([{ linkType: LinkType.RAW }], [packet]);
    const at = ng.findIndex((byte, i) => byte === 9 && ng[i + 2] === 1 && ng[i + 4] === 9);
    ng[at + 4] = code;
    const { records, error } = readCapture(ng);
    expect(error).toBeUndefined();
    expect(records).toHaveLength(1);
    expect(records[0]!.timeNs).toBeLessThan(1_000_000_000n);
  });
});
