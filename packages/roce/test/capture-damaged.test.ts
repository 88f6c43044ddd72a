// Capture files that are damaged, made to fill a reader's memory, or hold more than packets.
import { describe, expect, it } from 'vitest';
import { captureRecords, decodePacket, LinkType, readCapture, writePcap, writePcapng } from '../src/index.js';
import { captureBytes, captures } from './lib/testdata.js';

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
