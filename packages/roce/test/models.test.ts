import { describe, expect, it } from 'vitest';
import {
  analyze,
  atomicacketh,
  atomiceth,
  buildPacket,
  decodeFile,
  decodePacket,
  diagnoseFile,
  immdt,
  ladderModel,
  LinkType,
  packetRows,
  psnDistance,
  PsnPointKind,
  psnTimeModel,
  reth,
  summarizeCapture,
  writePcapng,
} from '../src/index.js';
import type { Analysis, PacketMark } from '../src/index.js';
import { captureBytes } from './lib/testdata.js';
import { Wire } from './lib/wire.js';

const marksOf = (a: Analysis): Record<number, PacketMark[]> => Object.fromEntries(a.marks);

describe('PSN arithmetic', () => {
  it('is modulo 2^24', () => {
    expect(psnDistance(5, 8)).toBe(3);
    expect(psnDistance(8, 5)).toBe(-3);
    expect(psnDistance(0xfffffe, 2)).toBe(4);
    expect(psnDistance(2, 0xfffffe)).toBe(-4);
  });
});

describe('the captures of the kernel', () => {
  const verbs = decodeFile(captureBytes('rxe-verbs-and-cm.pcap'));
  const loss = decodeFile(captureBytes('rxe-write-8pc-loss.pcap'));

  it('fall into the connections of the programs that were run', () => {
    const of = (qpn: number) => verbs.analysis.connections.find((c) => c.ends[0].qpn === qpn)!;
    // ibv_rc_pingpong of 3000 bytes, five each way; its QPs have the same number on both hosts.
    expect(of(0x11)).toMatchObject({ transport: 'RC', messages: 10, payloadBytes: 30000, mtu: 1024 });
    expect(of(0x12)).toMatchObject({ transport: 'UC', messages: 10, payloadBytes: 15000 });
    expect(of(0x13)).toMatchObject({ transport: 'UD', messages: 10, payloadBytes: 10000 });
    expect(of(0x14)).toMatchObject({ transport: 'RC', messages: 5, payloadBytes: 5 * 8192 });
    expect(verbs.analysis.connections.every((c) => c.ends[0].qpn !== undefined)).toBe(true);
    expect(verbs.analysis.messages.filter((m) => m.status === 'open')).toEqual([]);
    expect(verbs.summary).toMatchObject({ retransmissions: 0, duplicates: 0, gaps: 0, malformed: 0 });
    expect(verbs.summary.icrc).toEqual({ ok: 289, okOtherId: 0, bad: 0, unchecked: 0 });
  });

  it('match READs with their responses', () => {
    const reads = verbs.analysis.messages.filter((m) => m.kind === 'RDMA READ' && m.bytes === 8192);
    expect(reads.length).toBe(5);
    for (const m of reads) {
      expect(m.requests.length).toBe(1);
      expect(m.responses.length).toBe(8);
      expect(m.status).toBe('acknowledged');
      expect(psnDistance(m.firstPsn, m.lastPsn)).toBe(7);
      expect(verbs.packets[m.decidedBy!]!.opcode).toBe(0x0f);
    }
  });

  it('show go-back-N under loss', () => {
    const { summary, analysis } = loss;
    expect(summary.naks.sequence).toBe(8);
    expect(summary.retransmissions).toBeGreaterThan(700);
    expect(summary.gaps).toBeGreaterThan(0);
    const done = analysis.messages.filter((m) => m.status === 'acknowledged');
    // The last AETH of the capture says MSN 7.
    expect(done.length).toBe(7);
    expect(loss.packets.findLast((r) => r.msn !== undefined)!.msn).toBe(7);
    for (const m of analysis.messages) expect(m.bytes).toBe(16384);
    const [series] = psnTimeModel(analysis);
    const nak = series!.kind.indexOf(PsnPointKind.NAK);
    // After a NAK the requester comes back to the PSN that the NAK names.
    const back = series!.kind.indexOf(PsnPointKind.RETRANSMISSION, nak);
    expect(series!.psn[back]).toBe(series!.psn[nak]);
  });
});

describe('a capture with a limit', () => {
  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    'of the first 128 bytes of each packet says of %s what the whole one says',
    (file) => {
      const whole = decodeFile(captureBytes(file));
      const sliced = analyze(
        packetRows(whole.packets.map(({ data, ...rest }) => ({ ...rest, data: data.subarray(0, 128) }))),
      );
      const { icrc, ...figures } = summarizeCapture(sliced);
      const { icrc: checked, connections, ...expected } = whole.summary;
      expect(figures).toMatchObject(expected);
      expect(icrc.bad).toBe(0);
      expect(icrc.ok + icrc.unchecked).toBe(checked.ok);
      expect(icrc.unchecked).toBeGreaterThan(0);
      expect(sliced.messages.map(({ bytes }) => bytes)).toEqual(
        whole.analysis.messages.map(({ bytes }) => bytes),
      );
      expect(connections.length).toBeGreaterThan(0);
    },
  );
});

describe('a capture at both ends', () => {
  const twice = (file: Parameters<typeof captureBytes>[0]) => {
    const once = decodeFile(captureBytes(file)).packets;
    const sources = once.flatMap(({ timeNs, linkType, data, originalLength }) =>
      (['out', 'in'] as const).map((direction) => ({
        timeNs: direction === 'out' ? timeNs : timeNs + 1n,
        linkType,
        data,
        originalLength,
        direction,
      })),
    );
    const of = (rows: typeof sources): Analysis => analyze(packetRows(rows));
    return { both: of(sources), out: of(sources.filter(({ direction }) => direction === 'out')) };
  };

  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    'says of %s what the departures say alone',
    (file) => {
      const { both, out } = twice(file);
      const { packets, copies, wireBytes, protocols, icrc, ...rest } = summarizeCapture(both);
      const expected = summarizeCapture(out);
      // Packets other than RoCE are not followed.
      const { other = 0, ...ofRoce } = expected.kinds;
      expect(rest).toMatchObject({
        rocePackets: expected.rocePackets,
        payloadBytes: expected.payloadBytes,
        messageBytes: expected.messageBytes,
        opcodes: expected.opcodes,
        kinds: { ...ofRoce, ...(other > 0 ? { other: 2 * other } : {}) },
        retransmissions: expected.retransmissions,
        duplicates: expected.duplicates,
        gaps: expected.gaps,
        naks: expected.naks,
        connections: expected.connections,
      });
      expect(packets).toBe(2 * expected.packets);
      expect(copies).toBe(expected.rocePackets);
      expect(wireBytes).toBe(2 * expected.wireBytes);
      expect(protocols).not.toEqual(expected.protocols);
      expect(icrc.bad).toBe(0);
      expect(ladderModel(both).packets).toHaveLength(ladderModel(out).packets.length);
      expect(psnTimeModel(both).map(({ psn }) => psn)).toEqual(psnTimeModel(out).map(({ psn }) => psn));
      // A copy belongs to the message of its departure.
      for (let i = 0; i < both.rows.length; i += 2)
        expect([both.messageOf[i], both.messageOf[i + 1]]).toEqual([
          out.messageOf[i / 2],
          out.messageOf[i / 2],
        ]);
    },
  );

  it('keeps what another program sent from the same QP 1 apart from arrivals', () => {
    const rows = packetRows(decodeFile(captureBytes('rxe-verbs-and-cm.pcap')).packets);
    const [request] = rows.filter(({ opcode, destQp }) => opcode === 0x64 && destQp === 1);
    const { timeNs, linkType, data, originalLength } = request!;
    const answer = Uint8Array.from(data);
    answer[answer.length - 1]! ^= 1;
    const record = { timeNs, linkType, originalLength };
    const records = [
      { ...record, data, direction: 'out' as const },
      { ...record, data: answer, direction: 'in' as const },
      { ...record, data, direction: 'in' as const },
    ];
    const { marks, departureOf } = analyze(packetRows(records));
    expect([...departureOf]).toEqual([-1, -1, 0]);
    expect([0, 1, 2].map((i) => marks.get(i)?.includes('copy') ?? false)).toEqual([false, false, true]);
    const file = writePcapng(
      [{ linkType }],
      records.map(({ data: bytes, direction }) => ({ timeNs, data: bytes, direction })),
    );
    expect(diagnoseFile(file).counts.copies).toBe(1);
  });

  it('takes arrivals for what they are where no departure of that sender is captured', () => {
    const wire = new Wire().write(100, 3).response(0x11, 102);
    const rows = wire.records.map((record) => ({ ...record, direction: 'in' as const }));
    const analysis = analyze(packetRows(rows));
    expect(summarizeCapture(analysis)).toMatchObject({ copies: 0, rocePackets: 4, retransmissions: 0 });
  });
});

describe('a lossless exchange', () => {
  it('acknowledges several messages with one ACK', () => {
    const a = new Wire().write(100, 1).write(101, 1).write(102, 1).response(0x11, 102).analyze();
    expect(a.messages.map((m) => [m.status, m.decidedBy])).toEqual([
      ['acknowledged', 3],
      ['acknowledged', 3],
      ['acknowledged', 3],
    ]);
    expect(marksOf(a)).toEqual({ 3: ['coalesced-ack'] });
  });

  it('continues across the end of the PSN space', () => {
    const a = new Wire().write(0xfffffe, 4).response(0x11, 1).analyze();
    expect(marksOf(a)).toEqual({});
    expect(a.messages).toMatchObject([
      { firstPsn: 0xfffffe, lastPsn: 1, bytes: 4096, status: 'acknowledged', doneT: 4000 },
    ]);
    const [series] = psnTimeModel(a);
    expect([...series!.psn]).toEqual([0, 1, 2, 3, 3]);
    expect([...series!.kind]).toEqual([0, 0, 0, 0, PsnPointKind.ACK]);
  });

  it('gives READs and atomics their own answers', () => {
    const ath = atomiceth.bytes({ va: 8n, rkey: 1, swapOrAdd: 1n, compare: 0n });
    const a = new Wire()
      .write(9, 2)
      .request(0x0c, 11, 0, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 2500 })])
      .request(0x14, 14, 0, [ath])
      .response(0x0d, 11, 0x1f, 1024)
      .response(0x0e, 12, 0x1f, 1024)
      .response(0x0f, 13, 0x1f, 452)
      .response(0x12, 14, 0x1f, 0, [atomicacketh.bytes({ original: 0n })])
      .analyze();
    expect(a.messages.map((m) => [m.kind, m.status, m.bytes, m.responses, m.decidedBy])).toEqual([
      ['RDMA WRITE', 'acknowledged', 2048, [], 4],
      ['RDMA READ', 'acknowledged', 2500, [4, 5, 6], 6],
      ['Fetch Add', 'acknowledged', 8, [7], 7],
    ]);
    expect(marksOf(a)).toEqual({});
  });

  it('recognizes a WRITE with immediate by its last packet', () => {
    const a = new Wire()
      .write(1, 3, (k) => k < 2)
      .request(0x09, 3, 1024, [immdt.bytes({ value: 7 })])
      .response(0x11, 3)
      .analyze();
    expect(a.messages).toMatchObject([
      { kind: 'RDMA WRITE with immediate', bytes: 3072, status: 'acknowledged' },
    ]);
  });
});

describe('recovery', () => {
  it('marks the gap, the NAK and what is sent again', () => {
    const a = new Wire()
      .write(10, 4, (k) => k !== 1) // packet 1 is lost before the capture
      .response(0x11, 11, 0x60)
      .write(10, 4, (k) => k >= 1)
      .response(0x11, 13)
      .analyze();
    expect(marksOf(a)).toEqual({
      1: ['gap'],
      3: ['nak'],
      4: ['retransmission'],
      5: ['retransmission', 'duplicate'],
      6: ['retransmission', 'duplicate'],
    });
    expect(a.messages).toMatchObject([
      {
        requests: [0, 1, 2, 4, 5, 6],
        responses: [3, 7],
        bytes: 4096,
        retransmissions: 3,
        status: 'acknowledged',
        decidedBy: 7,
      },
    ]);
    expect(a.connections).toMatchObject([{ retransmissions: 3, duplicates: 2, gaps: 1, naks: 1, mtu: 1024 }]);
  });

  it('waits after an RNR NAK', () => {
    const a = new Wire()
      .request(0x04, 5, 64)
      .response(0x11, 5, 0x2e)
      .request(0x04, 5, 64)
      .response(0x11, 5)
      .analyze();
    expect(marksOf(a)).toEqual({ 1: ['rnr'], 2: ['retransmission', 'duplicate'] });
    expect(a.messages).toMatchObject([{ kind: 'SEND', bytes: 64, status: 'acknowledged', decidedBy: 3 }]);
    expect(summarizeCapture(a)).toMatchObject({ rnrNaks: 1, payloadBytes: 128, messageBytes: 64 });
  });

  it('ends a message that is refused', () => {
    const a = new Wire().write(1, 1).write(2, 1).response(0x11, 2, 0x62).analyze();
    expect(a.messages.map((m) => m.status)).toEqual(['acknowledged', 'refused']);
    expect(summarizeCapture(a).naks).toMatchObject({ remoteAccess: 1, sequence: 0 });
  });

  it('sees a READ asked for again from where it broke off', () => {
    const a = new Wire()
      .request(0x0c, 1, 0, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 3072 })])
      .response(0x0d, 1, 0x1f, 1024)
      .request(0x0c, 2, 0, [reth.bytes({ va: 1024n, rkey: 1, dmaLength: 2048 })])
      .response(0x0d, 2, 0x1f, 1024)
      .response(0x0f, 3, 0x1f, 1024)
      .analyze();
    expect(marksOf(a)).toEqual({ 2: ['retransmission'] });
    expect(a.messages).toMatchObject([
      { bytes: 3072, requests: [0, 2], responses: [1, 3, 4], status: 'acknowledged' },
    ]);
  });

  it('marks congestion', () => {
    const wire = new Wire().request(0x04, 1, 10, [], 3);
    wire.records.push({
      timeNs: 2_000_000n,
      linkType: LinkType.RAW,
      data: buildPacket({
        src: wire.server,
        dst: wire.client,
        bth: { opcode: 0x81, destQp: 0x11, psn: 0, becn: true },
        payload: new Uint8Array(16),
      }),
    });
    const a = wire.response(0x11, 1).analyze();
    expect(marksOf(a)).toMatchObject({ 0: ['ecn'], 1: ['cnp'] });
    expect(a.connections.length).toBe(1);
    expect(summarizeCapture(a)).toMatchObject({ cnps: 1, ecnMarked: 1 });
  });
});

describe('a long capture', () => {
  it('is listed many times faster than it is decoded in full', () => {
    const { packets } = decodeFile(captureBytes('rxe-write-8pc-loss.pcap'), { icrc: false });
    const records = packets.map(({ timeNs, linkType, data }) => ({ timeNs, linkType, data }));
    const many = Array.from({ length: 20 }, () => records).flat();
    const time = (work: () => void): number => {
      const before = performance.now();
      work();
      return performance.now() - before;
    };
    const full = () => packets.forEach((r) => void decodePacket(r.data, r.linkType, { icrc: false }));
    const listed = () => void packetRows(many, { icrc: false });
    listed();
    full();
    const ratios = Array.from({ length: 5 }, () => (time(full) * 20) / time(listed)).sort((x, y) => x - y);
    console.log(`full decode costs ${ratios[2]!.toFixed(1)} times a row`);
    expect(ratios[2]).toBeGreaterThan(3);
  });
});
