// The diagnosis of captures besides RoCE itself: fragments, pause frames, and captures without RoCE.
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  decodePacket,
  diagnoseFile,
  indexCapture,
  LinkType,
  locate,
  packetRow,
  Reassembler,
  writePcap,
  writePcapng,
} from '../src/index.js';
import type { RecordToWrite, Whole } from '../src/index.js';
import { ids, one, start } from './lib/diagnosis.js';
import { ENCAPSULATIONS, inEthernet, inIpv4, inUdp } from './lib/encapsulations.js';
import { fragments4, fragments6 } from './lib/fragments.js';
import { Random, newSeed } from './lib/random.js';
import { hasTshark, tshark, withFile } from './lib/tshark.js';

const two = (n: number): number[] => [(n >>> 8) & 0xff, n & 0xff];
const ip4 = ENCAPSULATIONS['raw IPv4']!.data;
const ip6 = ENCAPSULATIONS['raw IPv6']!.data;

function put(fragments: readonly Uint8Array[], linkType: number = LinkType.RAW): (Whole | null)[] {
  const reassembler = new Reassembler();
  return fragments.map((data, i) =>
    reassembler.add(data, locate(data, linkType), { t: i, number: i + 1, original: data.length }),
  );
}

const file = (packets: readonly Uint8Array[], linkType: number = LinkType.RAW): Uint8Array =>
  writePcap(
    linkType,
    packets.map((data, i): RecordToWrite => ({ timeNs: 1_000_000_000n + BigInt(i) * 1000n, data })),
  );

describe('IP fragments', () => {
  it.each([
    ['IPv4', fragments4(ip4), ip4],
    ['IPv6', fragments6(ip6), ip6],
  ])('of %s are put together, in any order', (_name, fragments, packet) => {
    expect(fragments).toHaveLength(3);
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const [, , whole] = put(order.map((i) => fragments[i]!));
      expect(whole).toMatchObject({ fragments: 3, linkType: LinkType.RAW });
      const { summary, icrc } = decodePacket(whole!.data, whole!.linkType);
      expect(summary).toMatchObject({ kind: 'write', psn: 7, payloadLength: 64 });
      expect(icrc?.status).toMatch(/^ok/);
      expect(whole!.data.length).toBe(packet.length);
    }
  });

  it('in a tunnel are put together without the tunnel, whose length is that of a fragment', () => {
    const wrapped = fragments4(ip4).map((part) =>
      inEthernet(0x0800, inIpv4(47, Uint8Array.from([0, 0, 8, 0, ...part]))),
    );
    const whole = put(wrapped, LinkType.ETHERNET).at(-1)!;
    expect(whole.linkType).toBe(LinkType.RAW);
    expect(decodePacket(whole.data, whole.linkType).summary).toMatchObject({ kind: 'write', psn: 7 });
  });

  it('that come twice, overlap or lack one complete nothing wrong', () => {
    const [a, b, c] = fragments4(ip4) as [Uint8Array, Uint8Array, Uint8Array];
    expect(put([a, a, b, b]).every((whole) => whole === null)).toBe(true);
    expect(put([a, c, c])).toEqual([null, null, null]);
    expect(put([a, a, b, c]).at(-1)).not.toBeNull();
    const part = (from: number, more: boolean, length: number) =>
      inIpv4(17, new Uint8Array(length), (more ? 0x2000 : 0) | (from / 8), 9);
    // The number of bytes is right, but not their places.
    expect(put([part(0, true, 24), part(200, true, 48), part(72, false, 24)])).toEqual([null, null, null]);
    // An overlapping fragment that agrees completes the packet. One that contradicts is left out.
    const overlapping = inIpv4(17, ip4.subarray(20 + 40, 20 + 96), 0x2000 | (40 / 8), 9);
    overlapping.set(ip4.subarray(12, 20), 12);
    const completed = put([a, overlapping, c]).at(-1)!;
    expect(completed.fragments).toBe(3);
    expect(decodePacket(completed.data, completed.linkType).icrc?.status).toMatch(/^ok/);
    overlapping[20] = overlapping[20]! ^ 1;
    expect(put([a, overlapping, c])).toEqual([null, null, null]);
    const others = fragments4(ip4, 10);
    expect(put([a, others[1]!, c])).toEqual([null, null, null]);
  });

  it('that the capture cut give a packet that is cut', () => {
    const parts = fragments4(ip4).map((part) => part.subarray(0, 60));
    const whole = put(parts).at(-1)!;
    expect(decodePacket(whole.data, whole.linkType).summary).toMatchObject({ kind: 'write', cut: true });
  });

  it('are one packet in a diagnosis, which says that the path MTU is too large', () => {
    const diagnosis = diagnoseFile(
      file([...fragments4(ip4), ...fragments6(ip6), ...fragments4(ip4, 11).slice(0, 2)]),
    );
    expect(diagnosis).toMatchObject({ packets: 8, rocePackets: 2 });
    const found = one(diagnosis, 'ip-fragments');
    expect(found.text).toBe(
      '2 RoCE packets came in 6 IP fragments. 2 IP fragments belong to RoCE packets whose other fragments are not in the capture.',
    );
    expect(found.packets).toEqual([3, 6]);
    expect(ids(diagnosis)).not.toContain('not-roce');
  });

  it('of other packets are none of RoCE', () => {
    const other = Uint8Array.from(ip4);
    other.set(two(53), 22);
    const diagnosis = diagnoseFile(file(fragments4(other)));
    expect(diagnosis.rocePackets).toBe(0);
    expect(one(diagnosis, 'not-roce').text).toBe('3 packets of 3 are not RoCE: 2 IP fragments, 1 UDP.');
  });

  it('are kept with the capture for its list', () => {
    const capture = indexCapture(file(fragments4(ip4)));
    expect([...capture.wholes.keys()]).toEqual([2]);
    const row = packetRow(
      { data: fragments4(ip4)[2]!, linkType: LinkType.RAW, timeNs: 0n, whole: capture.wholes.get(2)! },
      2,
      0n,
    );
    expect(row).toMatchObject({ kind: 'write', length: 28 });
    expect(row.info).toMatch(/\[of 3 IP fragments\]$/);
  });

  it('fill no memory, whatever they are', () => {
    const seed = newSeed();
    const random = new Random(seed);
    const reassembler = new Reassembler();
    const parts = [...fragments4(ip4), ...fragments6(ip6)];
    for (let i = 0; i < 30_000; i++) {
      const data = random.pick(parts).slice();
      data.set(random.bytes(2), data[0]! >>> 4 === 4 ? 4 : 46);
      if (random.below(3) === 0) data.set(random.bytes(2), data[0]! >>> 4 === 4 ? 6 : 42);
      const frame = locate(data, LinkType.RAW);
      if (!frame.fragment) continue;
      const whole = reassembler.add(data, frame, { t: i, number: i + 1, original: data.length });
      if (whole)
        expect(() => decodePacket(whole.data, whole.linkType), `VERBSLAB_SEED=${seed}`).not.toThrow();
    }
    expect(reassembler.pending).toBeLessThanOrEqual(256);
  });

  it.skipIf(!hasTshark)('pass the filters that they pass in tshark', () => {
    const packets = [...fragments4(ip4), ...fragments6(ip6)];
    const reassembler = new Reassembler();
    withFile(
      file(packets),
      (path) => {
        for (const filter of ['infiniband', 'infiniband.bth.psn == 7', 'udp']) {
          const theirs = tshark('-r', path, '-Y', filter, '-T', 'fields', '-e', 'frame.number')
            .trim()
            .split('\n')
            .map(Number);
          const { matches } = compileFilter(filter);
          const ours = packets.flatMap((data, i) => {
            const frame = locate(data, LinkType.RAW);
            const whole = reassembler.add(data, frame, { t: i, number: i + 1, original: data.length });
            const packet = packetRow({ timeNs: 0n, linkType: LinkType.RAW, data, whole }, i, 0n);
            return matches({ ...packet, ...(whole ? { data: whole.data, linkType: whole.linkType } : {}) })
              ? [i + 1]
              : [];
          });
          expect(ours, filter).toEqual(theirs);
        }
      },
      'a.pcap',
    );
  });
});

const pfcFrame = (quanta: readonly number[], enabled: number): Uint8Array =>
  inEthernet(0x8808, Uint8Array.from([1, 1, ...two(enabled), ...quanta.flatMap(two), ...new Uint8Array(26)]));
const only3 = (quanta: number): Uint8Array => pfcFrame([0, 0, 0, quanta, 0, 0, 0, 0], 8);

describe('pause frames', () => {
  const paused = (bitsPerSecond?: bigint) => {
    const frames = [only3(65_535), only3(65_535), only3(0), only3(1000)];
    const at = [0n, 100_000n, 200_000n, 1_000_000n];
    const records = frames.map((data, i) => ({ timeNs: 1_000_000_000n + at[i]!, data }));
    return writePcapng(
      [{ linkType: LinkType.ETHERNET, ...(bitsPerSecond ? { bitsPerSecond } : {}) }],
      records,
    );
  };

  it('are listed with their priorities and quanta', () => {
    const { summary, layers } = decodePacket(pfcFrame([7, 0, 0, 65_535, 0, 0, 0, 0], 9), LinkType.ETHERNET);
    expect(summary).toMatchObject({
      protocol: 'PFC',
      info: 'PFC priority 0: pause for 7 quanta, priority 3: pause for 65535 quanta',
    });
    expect(layers.map(({ name }) => name)).toContain('macc');
    const plain = inEthernet(0x8808, Uint8Array.from([0, 1, 0, 0, ...new Uint8Array(42)]));
    expect(decodePacket(plain, LinkType.ETHERNET).summary).toMatchObject({
      protocol: 'PAUSE',
      info: 'PAUSE: go on',
    });
  });

  it('are totaled for the usual speeds, a later frame in the place of an earlier', () => {
    const found = one(diagnoseFile(paused()), 'pause');
    // At 100 Gb/s a quantum takes 5.12 ns: 100 µs, 100 µs, nothing, 5.12 µs.
    expect(found.text).toBe(
      '02:00:00:00:00:01 sent 4 PFC frames for priority 3: 3 to pause, 1 to go on. Paused in all: 220 µs at 25 Gb/s, 205 µs at 100 Gb/s, 169 µs at 400 Gb/s.',
    );
    expect(found).toMatchObject({ severity: 'warning', packets: [1, 2, 3, 4] });
  });

  it('are totaled at the speed of the link where the file states it', () => {
    expect(one(diagnoseFile(paused(100_000_000_000n)), 'pause').text).toMatch(
      /Paused in all: 205 µs at 100 Gb\/s \(the speed of the link\)\.$/,
    );
  });

  it('that only let go on are no warning', () => {
    expect(one(diagnoseFile(file([only3(0)], LinkType.ETHERNET)), 'pause').severity).toBe('note');
  });

  it.skipIf(!hasTshark)('have the fields that tshark shows', () => {
    const fields = ['macc.opcode', 'macc.cbfc.enbv', 'macc.cbfc.pause_time.c0', 'macc.cbfc.pause_time.c3'];
    const data = pfcFrame([7, 0, 0, 65_535, 0, 0, 0, 0], 9);
    const out = withFile(file([data], LinkType.ETHERNET), (path) =>
      tshark('-r', path, '-T', 'fields', ...fields.flatMap((f) => ['-e', f])),
    );
    const ours = decodePacket(data, LinkType.ETHERNET).layers.flatMap((layer) => layer.fields);
    expect(out.trim().split('\t').map(Number)).toEqual(
      fields.map((name) => ours.find((f) => f.name === name)?.value),
    );
  });
});

describe('a capture that shows nothing of RoCE', () => {
  const arp = inEthernet(0x0806, new Uint8Array(28));
  const tcp = (port: number) =>
    inEthernet(
      0x0800,
      inIpv4(
        6,
        Uint8Array.from([...two(port), ...two(40_000), ...new Uint8Array(8), 0x50, 2, ...new Uint8Array(6)]),
      ),
    );
  const dns = inEthernet(0x0800, inIpv4(17, inUdp(53, new Uint8Array(20))));

  it('gets no verdict', () => {
    const { unchecked } = diagnoseFile(file([arp, tcp(80), dns], LinkType.ETHERNET));
    expect(unchecked?.text).toBe('No RoCE packet in 3: nothing was diagnosed.');
    expect(unchecked?.why).toMatch(/^The RoCE packets of a NIC pass by the kernel/);
    expect(start().diagnose().unchecked).toBeUndefined();
  });

  it('is told what its packets are', () => {
    const found = one(diagnoseFile(file([arp, tcp(80), dns, dns], LinkType.ETHERNET)), 'not-roce');
    expect(found.text).toBe('4 packets of 4 are not RoCE: 2 UDP, 1 ARP, 1 TCP.');
    expect(found.why).toBe('They are not diagnosed. UDP went to port 53; RoCEv2 goes to 4791.');
  });

  it('is told what TCP port 18515 is for', () => {
    expect(diagnoseFile(file([tcp(18_515)], LinkType.ETHERNET)).unchecked?.why).toMatch(
      /^TCP port 18515 is where/,
    );
  });

  it('may be empty, damaged at once, or of a link type that is not read', () => {
    expect(diagnoseFile(file([])).unchecked?.text).toBe('The file holds no packet: nothing was diagnosed.');
    expect(diagnoseFile(file([arp]).subarray(0, 30)).unchecked?.text).toBe(
      'The file is damaged before its first packet: nothing was diagnosed.',
    );
    const radio = diagnoseFile(file([arp, arp], 127));
    expect(radio.unchecked?.text).toBe(
      'No packet of 2 could be read: link type 127 (IEEE 802.11 radiotap) is not supported.',
    );
    expect(ids(radio)).toEqual(['link-type']);
    expect(radio.counts.malformed).toBe(0);
  });

  it.each([40, 46, 53])('may hold only %d bytes of each packet', (bytes) => {
    const packets = start().records.map(({ data }) => inEthernet(0x0800, data));
    const records = packets.map((data, i) => ({
      timeNs: BigInt(i) * 1000n,
      data: data.subarray(0, bytes),
      originalLength: data.length,
    }));
    const diagnosis = diagnoseFile(writePcap(LinkType.ETHERNET, records));
    expect(diagnosis.rocePackets).toBe(5);
    expect(diagnosis.unchecked?.text).toBe(
      'The capture holds too little of its 5 RoCE packets: nothing was diagnosed.',
    );
  });
});

describe('a compressed capture', () => {
  it.each([
    ['gzip', [0x1f, 0x8b, 8, 0]],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
    ['xz', [0xfd, 0x37, 0x7a, 0x58]],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39]],
  ])('is called that: %s', (name, bytes) => {
    expect(indexCapture(Uint8Array.from([...bytes, 0, 0, 0, 0])).head.error?.message).toBe(
      `this is compressed with ${name}; decompress it first`,
    );
  });
});

describe('the share of headers', () => {
  it('does not count what follows the packet in its frame', () => {
    const wire = start();
    for (let i = 1; i < 4; i++) wire.write(100 + 4 * i, 4);
    const packets = wire.records.map(({ data }) => inEthernet(0x0800, data));
    const share = (more: number) => {
      const padded = packets.map((data) => Uint8Array.from([...data, ...new Uint8Array(more).fill(0xcc)]));
      return diagnoseFile(file(padded, LinkType.ETHERNET)).connections[0]!.from[0]!.headerShare;
    };
    expect(share(0)).toBeGreaterThan(0);
    expect(share(4)).toBe(share(0));
  });
});
