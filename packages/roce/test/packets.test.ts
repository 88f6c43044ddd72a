import { describe, expect, it } from 'vitest';
import {
  aeth,
  allOpcodes,
  atomicacketh,
  atomiceth,
  buildPacket,
  CNP_OPCODE,
  decodePacket,
  deth,
  EtherType,
  ethernet,
  feth,
  grh,
  ieth,
  immdt,
  LinkType,
  opcodeInfo,
  rdeth,
  reth,
  sll,
  sll2,
  summarizePacket,
  vlan,
  writePcapng,
  xrceth,
} from '../src/index.js';
import type { LayerId } from '../src/index.js';
import { dissect, hasTshark, tshark, withFile } from './lib/tshark.js';

const HEADERS: Partial<Record<LayerId, Uint8Array>> = {
  rdeth: rdeth.bytes({ reserved: 0, eeContext: 5 }),
  deth: deth.bytes({ qkey: 0x11111111, reserved: 0, srcQp: 0x33 }),
  reth: reth.bytes({ va: 0x7f0000001000n, rkey: 0x1234, dmaLength: 8 }),
  aeth: aeth.bytes({ syndrome: 0x1f, msn: 7 }),
  immdt: immdt.bytes({ value: 0xcafe0001 }),
  ieth: ieth.bytes({ rkey: 0x55 }),
  xrceth: xrceth.bytes({ reserved: 0, srq: 0x77 }),
  feth: feth.bytes({ reserved: 0, level: 0, type: 1 }),
  atomiceth: atomiceth.bytes({ va: 0x7f0000001000n, rkey: 0x1234, swapOrAdd: 3n, compare: 4n }),
  atomicacketh: atomicacketh.bytes({ original: 9n }),
};

function packetOf(opcode: number, payloadLength: number, extra: object = {}): Uint8Array {
  const info = opcodeInfo(opcode)!;
  return buildPacket({
    src: '10.0.0.1',
    dst: '10.0.0.2',
    id: 77,
    bth: { opcode, destQp: 0x22, psn: 1000 },
    headers: info.headers.map((h) => HEADERS[h]!),
    payload: new Uint8Array(opcode === CNP_OPCODE ? 16 : info.payload ? payloadLength : 0).fill(0x5a),
    ...extra,
  });
}

describe('every opcode', () => {
  it.each(allOpcodes().map((o) => [o.name, o] as const))(
    '%s has its headers, payload and ICRC',
    (_name, info) => {
      const packet = packetOf(info.opcode, 13);
      const { layers, icrc, error, summary } = decodePacket(packet, LinkType.RAW);
      expect(error).toBeUndefined();
      expect(icrc?.status).toBe('ok');
      const payload: LayerId[] = info.payload
        ? info.opcode === CNP_OPCODE
          ? ['payload']
          : ['payload', 'pad']
        : [];
      expect(layers.map((l) => l.id)).toEqual(['ipv4', 'udp', 'bth', ...info.headers, ...payload, 'icrc']);
      // The layers follow each other without a gap and fill the packet.
      let at = 0;
      for (const l of layers) {
        expect(l.offset, l.id).toBe(at);
        at += l.length;
      }
      expect(at).toBe(packet.length);
      expect(summary).toMatchObject({ opcode: info.opcode, destQp: 0x22, psn: 1000, kind: info.kind });
      expect(info.doc).toMatch(/^[A-Z].*[.]$/);
    },
  );

  it('is unknown when the table does not have it', () => {
    const packet = packetOf(4, 8);
    packet[28] = 0x1f;
    const { error, summary, layers } = decodePacket(packet, LinkType.RAW);
    expect(error).toEqual({ offset: 28, layer: 'bth', message: 'unknown opcode 0x1f' });
    expect(summary.kind).toBe('other');
    expect(layers.map((l) => l.id)).toEqual(['ipv4', 'udp', 'bth', 'payload', 'icrc']);
  });

  it.skipIf(!hasTshark)('is dissected by tshark as what it is', () => {
    // Wireshark 4.0 knows neither reliable datagrams over UDP nor FLUSH and ATOMIC WRITE.
    const known = allOpcodes().filter((o) => o.transport !== 'RD' && ![0x1c, 0x1d].includes(o.opcode));
    const records = known.map((o, i) => ({ timeNs: BigInt(i), data: packetOf(o.opcode, 13) }));
    withFile(writePcapng([{ linkType: LinkType.RAW }], records), (path) => {
      const theirs = dissect(path);
      expect(theirs.length).toBe(known.length);
      theirs.forEach((fields, i) => {
        const opcode = fields.find((f) => f.name === 'infiniband.bth.opcode');
        expect(Number('0x' + opcode!.raw)).toBe(known[i]!.opcode);
        // Wireshark takes a CNP for a BTH with data behind it, and does not go beyond the BTH of XRC.
        const sawIcrc = fields.some((f) => f.name === 'infiniband.invariant.crc');
        const { opcode: code, transport } = known[i]!;
        if (transport !== 'XRC') expect(sawIcrc, known[i]!.name).toBe(code !== CNP_OPCODE);
      });
      expect(tshark('-r', path, '-Y', '_ws.malformed')).toBe('');
    });
  });
});

describe('links', () => {
  const ip = packetOf(4, 8);
  const link = (header: Uint8Array, body = ip): Uint8Array => Uint8Array.from([...header, ...body]);
  const mac = { dst: '52:54:00:00:00:01', src: '52:54:00:00:00:02' };

  it('may have VLAN tags', () => {
    const tag = vlan.bytes({ priority: 3, dei: false, id: 100, type: EtherType.IPV4 });
    const packet = link(Uint8Array.from([...ethernet.bytes({ ...mac, type: EtherType.VLAN }), ...tag]));
    const { layers, icrc } = decodePacket(packet, LinkType.ETHERNET);
    expect(layers.slice(0, 4).map((l) => l.id)).toEqual(['ethernet', 'vlan', 'ipv4', 'udp']);
    expect(layers[1]!.fields.find((f) => f.name === 'vlan.id')!.value).toBe(100);
    expect(icrc?.status).toBe('ok');
  });

  it('may be Linux cooked captures of both versions', () => {
    const common = {
      packetType: 0,
      hardwareType: 772,
      addressLength: 6,
      address: new Uint8Array(8),
      protocol: 0x800,
    };
    const one = link(sll.bytes(common));
    expect(decodePacket(one, LinkType.LINUX_SLL).icrc?.status).toBe('ok');
    const two = link(sll2.bytes({ ...common, reserved: 0, interfaceIndex: 1 }));
    expect(decodePacket(two, LinkType.LINUX_SLL2).icrc?.status).toBe('ok');
  });

  it('may pad short frames', () => {
    const ack = packetOf(0x11, 0);
    const frame = link(ethernet.bytes({ ...mac, type: EtherType.IPV4 }), Uint8Array.from([...ack, 0, 0, 0]));
    const { layers, icrc } = decodePacket(frame, LinkType.ETHERNET);
    expect(icrc?.status).toBe('ok');
    expect(layers.at(-1)).toMatchObject({ id: 'trailer', length: 3, offset: frame.length - 3 });
  });

  it('may carry RoCEv1', () => {
    const rocev2 = packetOf(4, 8);
    const body = rocev2.subarray(28);
    const gids = { sgid: '::ffff:10.0.0.1', dgid: '::ffff:10.0.0.2' };
    const route = {
      version: 6,
      trafficClass: 0,
      flowLabel: 0,
      payloadLength: body.length,
      nextHeader: 27,
      hopLimit: 1,
    };
    const frame = link(
      Uint8Array.from([
        ...ethernet.bytes({ ...mac, type: EtherType.ROCE_V1 }),
        ...grh.bytes({ ...route, ...gids }),
      ]),
      body,
    );
    const { layers, icrc, summary, error } = decodePacket(frame, LinkType.ETHERNET);
    expect(error).toBeUndefined();
    expect(icrc).toBeUndefined();
    expect(summary).toMatchObject({
      protocol: 'RoCEv1',
      src: '::ffff:10.0.0.1',
      psn: 1000,
      payloadLength: 8,
    });
    expect(layers.map((l) => l.id)).toEqual(['ethernet', 'grh', 'bth', 'payload', 'icrc']);
  });

  it('may be raw IPv6', () => {
    const packet = packetOf(0x0a, 1024, { src: '::1', dst: '::1' });
    const { icrc, summary } = decodePacket(packet, LinkType.IPV6);
    expect(icrc?.status).toBe('ok');
    expect(summary).toMatchObject({
      src: '::1',
      dst: '::1',
      va: 0x7f0000001000n,
      rkey: 0x1234,
      dmaLength: 8,
    });
  });

  it('of an unknown kind are called unknown', () => {
    const { summary, layers } = decodePacket(ip, 148);
    expect(summary).toMatchObject({ kind: 'other', info: 'link type 148 is not supported' });
    // An unknown link type is no fault of the packet.
    expect(summary.error).toBeUndefined();
    expect(layers.map(({ id }) => id)).toEqual(['payload']);
  });
});

describe('what is not RoCE', () => {
  it('is listed by protocol', () => {
    const arp = Uint8Array.from([
      ...ethernet.bytes({ dst: 'ff:ff:ff:ff:ff:ff', src: '52:54:00:00:00:02', type: EtherType.ARP }),
      ...new Uint8Array(28),
    ]);
    expect(summarizePacket(arp, LinkType.ETHERNET)).toMatchObject({
      protocol: 'ARP',
      kind: 'other',
      src: '52:54:00:00:00:02',
      info: 'ARP, 28 bytes',
    });
    const dns = packetOf(4, 8);
    dns[22] = 0;
    dns[23] = 53;
    expect(summarizePacket(dns, LinkType.RAW)).toMatchObject({ protocol: 'UDP', dstPort: 53, kind: 'other' });
  });
  it('includes fragments', () => {
    const fragment = packetOf(4, 8);
    fragment[6] = 0x20;
    const { summary, icrc, layers } = decodePacket(fragment, LinkType.RAW);
    expect(summary.info).toMatch(/^IP fragment of UDP/);
    expect(icrc).toBeUndefined();
    expect(layers.map((l) => l.id)).toEqual(['ipv4', 'payload']);
  });
});

describe('malformed packets', () => {
  const packet = packetOf(0x0b, 13);

  it('cut at any byte say where they end', () => {
    for (let n = 0; n < packet.length; n++) {
      const { error, layers, icrc } = decodePacket(packet.subarray(0, n), LinkType.RAW);
      expect(error, `${n} bytes`).toBeDefined();
      expect(error!.offset, `${n} bytes`).toBe(n);
      for (const l of layers) expect(l.offset + l.length).toBeLessThanOrEqual(n);
      expect(icrc?.status ?? 'unchecked').toBe('unchecked');
    }
  });
  it('with a capture limit keep their kind', () => {
    const { summary } = decodePacket(packet.subarray(0, 64), LinkType.RAW);
    expect(summary.kind).toBe('write');
    expect(summary).toMatchObject({
      cut: true,
      payloadLength: summarizePacket(packet, LinkType.RAW).payloadLength,
    });
    expect(summary.error?.message).toMatch(/only the beginning/);
    expect(summary.info).toMatch(/ payload=\d+ \[cut to 64 bytes\]$/);
  });
  it('with more pad than payload name the pad count', () => {
    const ack = packetOf(0x11, 0);
    ack[29] = 0x30;
    expect(decodePacket(ack, LinkType.RAW).error).toEqual({
      offset: 29,
      layer: 'bth',
      message: 'pad count 3 is more than the 0 bytes of payload',
    });
  });
  it('too short for their headers say so', () => {
    const write = packetOf(0x04, 4);
    write[28] = 0x0a; // claims a RETH
    const { error, icrc } = decodePacket(write, LinkType.RAW);
    expect(error?.message).toBe(
      '8 bytes after the BTH cannot hold the headers of RC RDMA WRITE Only (16) and the ICRC (4)',
    );
    expect(icrc?.status).toBe('bad');
  });
  it('with impossible lengths point at the length field', () => {
    const udpLong = packet.slice();
    udpLong[25] = 0xff;
    expect(decodePacket(udpLong, LinkType.RAW).error).toMatchObject({ offset: 24, layer: 'udp' });
    const udpShort = packet.slice();
    udpShort[24] = 0;
    udpShort[25] = 7;
    expect(decodePacket(udpShort, LinkType.RAW).error).toMatchObject({ offset: 24, layer: 'udp' });
    const ipShort = packet.slice();
    ipShort[2] = 0;
    ipShort[3] = 19;
    expect(decodePacket(ipShort, LinkType.RAW).error).toMatchObject({ offset: 2, layer: 'ipv4' });
    const headerShort = packet.slice();
    headerShort[0] = 0x44;
    expect(decodePacket(headerShort, LinkType.RAW).error).toMatchObject({ offset: 0, layer: 'ipv4' });
  });
});

describe('buildPacket', () => {
  it('refuses what no packet can hold', () => {
    expect(() => buildPacket({ src: 'nowhere', dst: '::1', bth: { opcode: 4, destQp: 1, psn: 1 } })).toThrow(
      RangeError,
    );
    expect(() => buildPacket({ src: '1.2.3.4', dst: '::1', bth: { opcode: 4, destQp: 1, psn: 1 } })).toThrow(
      RangeError,
    );
  });
});
