import { describe, expect, it } from 'vitest';
import { compileFilter, decodePacket, packetRow, writePcap } from '../src/index.js';
import type { Layer } from '../src/index.js';
import { hex } from '../src/base/bytes.js';
import { ENCAPSULATIONS, inEthernet, inIpv4, inUdp } from './lib/encapsulations.js';
import { dissect, hasTshark, tshark, withFile } from './lib/tshark.js';

const all = Object.entries(ENCAPSULATIONS);

describe('a RoCE packet', () => {
  it.each(all)('in %s is read to its payload, and its ICRC is checked', (_name, { data, linkType, icrc }) => {
    const packet = decodePacket(data, linkType);
    expect(packet.error).toBeUndefined();
    expect(packet.summary).toMatchObject({
      kind: 'write',
      opcode: 0x0a,
      destQp: 0x22,
      psn: 7,
      rkey: 0x77,
      dmaLength: 64,
      payloadLength: 64,
    });
    expect(packet.icrc?.status).toBe(icrc === 'none' ? undefined : 'ok');
  });

  it.each(all)('in %s that is cut anywhere is never malformed', (_name, { data, linkType }) => {
    for (let end = 0; end < data.length; end++) {
      const row = packetRow(
        { data: data.subarray(0, end), linkType, timeNs: 0n, originalLength: data.length },
        0,
        0n,
      );
      // A tag or tunnel without its beginning may be anything. The decoded parts must not contradict each other.
      if (row.opcode !== undefined)
        expect([0x0a, row.icrc ?? 'unchecked']).toEqual([row.opcode, 'unchecked']);
    }
  });

  it.each(all.filter(([, { icrc }]) => icrc === undefined))(
    'in %s with a flipped bit has a wrong ICRC',
    (name, { data, linkType }) => {
      const flipped = data.slice();
      const at = flipped.length - 30;
      flipped[at] = flipped[at]! ^ 1;
      // The effect of extension headers on an ICRC is not specified.
      const extended = /^(hop-by-hop|destination|three|segment routing$|a single)/.test(name);
      expect(decodePacket(flipped, linkType).icrc?.status).toBe(extended ? 'unchecked' : 'bad');
    },
  );

  it('is on another UDP port where the caller says so', () => {
    const { data, linkType } = ENCAPSULATIONS.plain!;
    const moved = data.slice();
    moved.set([0x12, 0xb8], 36);
    expect(decodePacket(moved, linkType).summary.protocol).toBe('UDP');
    const { summary } = decodePacket(moved, linkType, { ports: [1021, 4792] });
    expect(summary).toMatchObject({ protocol: 'RoCEv2', opcode: 0x0a });
    expect(decodePacket(data, linkType, { ports: [4792] }).summary.protocol).toBe('RoCEv2');
    const packet = { ...packetRow({ data: moved, linkType, timeNs: 0n }, 0, 0n) };
    const filter = compileFilter('infiniband.bth.opcode == 10');
    expect(filter.matches(packet)).toBe(false);
    expect(filter.matches({ ...packet, ports: [4792] })).toBe(true);
  });

  it('that a switch mirrored in part is cut, not malformed', () => {
    const { data, linkType } = ENCAPSULATIONS.plain!;
    const gre = Uint8Array.from([0, 0, 0x88, 0xbe, ...data.subarray(0, 64)]);
    const mirrored = inEthernet(0x0800, inIpv4(47, gre));
    const { summary } = decodePacket(mirrored, linkType);
    expect(summary).toMatchObject({ kind: 'write', cut: true });
    const trailed = Uint8Array.from([...mirrored, ...new Uint8Array(80)]);
    expect(decodePacket(trailed, linkType).summary).toMatchObject({ kind: 'write', cut: true });
  });

  it('is not looked for in other programs’ packets to a tunnel’s port', () => {
    for (const port of [4789, 8472, 6081]) {
      const data = inEthernet(
        0x0800,
        inIpv4(17, inUdp(port, Uint8Array.from([0xf7, 1, 2, 3, 4, 5, 6, 7, 8, 9]))),
      );
      const { summary, error } = decodePacket(data, 1);
      expect(error).toBeUndefined();
      expect(summary).toMatchObject({ protocol: 'UDP', dstPort: port, payloadLength: 10 });
    }
  });
});

const place = (layer: Layer | undefined) => layer && [layer.offset, layer.length];

describe.skipIf(!hasTshark)('tshark agrees', () => {
  const compared = all.filter(([, { tshark: how }]) => how !== 'no');

  it.each(compared)('about the fields of a packet in %s', (_name, { data, linkType }) => {
    const [theirs] = withFile(
      writePcap(linkType, [{ timeNs: 1_000_000_000n, data }]),
      (path) => dissect(path),
      'a.pcap',
    );
    const packet = decodePacket(data, linkType);
    expect(theirs!.some(({ name }) => name === 'infiniband.bth.opcode')).toBe(true);
    let same = 0;
    for (const field of packet.layers.flatMap((layer) => layer.fields)) {
      if (!field.inWireshark || typeof field.value === 'object') continue;
      const candidates = theirs!.filter(({ name }) => name === field.name);
      const text = `${field.name} at ${field.offset}: ${candidates.map((c) => `${c.offset}+${c.length} ${c.raw}`).join(', ')}`;
      const match = candidates.find(
        (c) => c.offset <= field.offset && c.offset + c.length >= field.offset + field.length,
      );
      // Wireshark leaves some flags out, or shows their byte.
      if (candidates.length === 0 && /^(gre|geneve|vxlan|erspan|erf|ipv6|ppp|infiniband)\./.test(field.name))
        continue;
      expect(match, text).toBeDefined();
      if (match!.mask === 0 && field.mask === undefined && match!.length === field.length)
        expect(match!.raw, text).toBe(hex(data.subarray(field.offset, field.offset + field.length)));
      same++;
    }
    expect(same).toBeGreaterThan(15);
    const bth = theirs!.find(({ name }) => name === 'infiniband.bth')!;
    expect(place(packet.layers.find(({ id }) => id === 'bth'))).toEqual([bth.offset, bth.length]);
  });

  it('about filters on tags and tunnels', () => {
    const filters = [
      'infiniband',
      'vlan',
      'gre',
      'gre.key == 7',
      'erspan.spanid == 5',
      'vxlan.vni == 42',
      'geneve.vni == 42',
      'mpls.label == 100',
      'pppoe.session_id == 5',
      'ipv6.hopopts',
      'ipv6.routing.type == 4',
      'ipv6.fraghdr',
      'ip.src == 192.168.0.1 && ip.src == 10.0.0.1',
      'ip.addr != 10.0.0.1',
    ];
    const ethernet = compared.filter(([, { linkType }]) => linkType === 1);
    const records = ethernet.map(([, { data }], i) => ({ timeNs: BigInt(i) * 1_000_000_000n, data }));
    withFile(
      writePcap(1, records),
      (path) => {
        for (const filter of filters) {
          const theirs = tshark('-r', path, '-Y', filter, '-T', 'fields', '-e', 'frame.number')
            .trim()
            .split('\n')
            .filter(Boolean)
            .map(Number);
          const { matches } = compileFilter(filter);
          const ours = records.flatMap((r, i) =>
            matches(packetRow({ ...r, linkType: 1 }, i, 0n)) ? [i + 1] : [],
          );
          expect(ours, filter).toEqual(theirs);
          expect(ours.length, filter).toBeGreaterThan(0);
        }
      },
      'a.pcap',
    );
  });
});
