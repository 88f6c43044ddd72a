import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  connectionFilter,
  connectionFilterOf,
  decodeFile,
  diagnoseFile,
  indexCapture,
  LinkType,
  marksOf,
  messageFilterOf,
  NONE,
  writePcap,
  writePcapng,
} from '../src/index.js';
import { captureBytes } from './lib/testdata.js';
describe('a capture as columns', () => {
  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    '%s: packets and marks are those of the decoder and of its models',
    (name) => {
      const { columns, addresses, diagnosis } = indexCapture(captureBytes(name));
      const { packets, analysis, summary } = decodeFile(captureBytes(name));
      expect(columns.length).toBe(packets.length);
      for (const { index, t, opcode, psn, destQp, syndrome, src } of packets) {
        expect(columns.t[index]).toBe(t);
        expect(columns.opcode[index]).toBe(opcode ?? NONE);
        expect(columns.syndrome[index]).toBe(syndrome ?? NONE);
        if (opcode === undefined) continue;
        expect([columns.psn[index], columns.destQp[index]]).toEqual([psn, destQp]);
        expect(addresses[columns.src[index]!]).toBe(src);
        // Only the models mark an ACK that covers several messages.
        const marks = (analysis.marks.get(index) ?? []).filter((mark) => mark !== 'coalesced-ack');
        expect([...marksOf(columns.marks[index]!)].sort(), `packet ${index + 1}`).toEqual(marks.sort());
      }
      expect(diagnosis.counts).toMatchObject({
        packets: summary.packets,
        rocePackets: summary.rocePackets,
        payloadBytes: summary.payloadBytes,
        retransmissions: summary.retransmissions,
        duplicates: summary.duplicates,
        acks: summary.kinds.ack ?? 0,
        messageBytes: summary.messageBytes,
        naks: summary.naks.sequence,
        missing: summary.connections.reduce((n, { missing: [a, b] }) => n + a + b, 0),
        malformed: 0,
      });
    },
  );
});

describe('a file that is read in parts', () => {
  const inParts = (bytes: Uint8Array, window: number) => ({
    length: bytes.length,
    window,
    read: (from: number, to: number) => bytes.slice(from, to),
  });
  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    '%s: is indexed as it is when all of it is in memory',
    (name) => {
      const bytes = captureBytes(name);
      for (const file of [bytes, bytes.slice(0, bytes.length - 7)])
        for (const window of [1, 100, 5_000, 1e9])
          expect(indexCapture(inParts(file, window))).toEqual(indexCapture(file));
    },
  );

  it('pcapng: has its comments and its interfaces', () => {
    const records = Array.from({ length: 200 }, (_, i) => ({
      timeNs: BigInt(i),
      data: new Uint8Array(i).fill(i),
      comments: [`packet ${i}`],
      direction: i % 2 === 0 ? ('in' as const) : ('out' as const),
    }));
    const bytes = writePcapng([{ linkType: LinkType.RAW, name: 'one' }], records);
    const whole = indexCapture(bytes);
    expect(whole.comments.get(199)).toEqual(['packet 199']);
    expect(indexCapture(inParts(bytes, 64))).toEqual(whole);
  });

  it('holds packets longer than 64 KiB', () => {
    const lengths = [100, 70_000, 200];
    const records = lengths.map((length, i) => ({ timeNs: BigInt(i), data: new Uint8Array(length) }));
    const { columns } = indexCapture(writePcap(LinkType.RAW, records));
    expect([...columns.captured]).toEqual(lengths);
    expect([...columns.original]).toEqual(lengths);
  });
});

describe('the filter of a connection', () => {
  it('lists its packets and no others', () => {
    const { packets } = decodeFile(captureBytes('rxe-verbs-and-cm.pcap'));
    const capture = indexCapture(captureBytes('rxe-verbs-and-cm.pcap'));
    const { connections } = capture.diagnosis;
    const matched = connections.filter(({ matched }) => matched !== 'no');
    for (const { ends, from, firstPacket } of matched) {
      const { matches } = compileFilter(connectionFilter(ends));
      expect(packets.filter(matches)).toHaveLength(from[0]!.packets + from[1]!.packets);
      expect(connectionFilterOf(capture, firstPacket - 1)).toBe(connectionFilter(ends));
    }
    expect(matched.length).toBeGreaterThan(10);
  });
});

describe('the messages of a connection', () => {
  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    '%s: are those of the models, by kind',
    (name) => {
      const { connections } = diagnoseFile(captureBytes(name));
      const { analysis } = decodeFile(captureBytes(name));
      const kinds = (messages: { kind: string; bytes: number; count: number }[]) => {
        const sums = new Map<string, [count: number, bytes: number]>();
        for (const { kind, bytes, count } of messages) {
          const [n, sum] = sums.get(kind) ?? [0, 0];
          sums.set(kind, [n + count, sum + bytes]);
        }
        return Object.fromEntries([...sums].sort());
      };
      const found = connections.flatMap(({ from }) => from.flatMap((way) => way?.messages ?? []));
      expect(kinds(found)).toEqual(kinds(analysis.messages.map((one) => ({ ...one, count: 1 }))));
    },
  );
});

describe('the message of a packet', () => {
  it.each(['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const)(
    '%s: is that of the models',
    (name) => {
      const capture = indexCapture(captureBytes(name));
      const { packets, analysis } = decodeFile(captureBytes(name));
      let followed = 0;
      for (const { id, requests, responses } of analysis.messages) {
        const own = packets.filter(({ index }) => analysis.messageOf[index] === id).map(({ index }) => index);
        for (const index of [requests[0]!, requests.at(-1)!, ...responses.slice(0, 2)]) {
          const filter = messageFilterOf(capture, index);
          if (filter === null) continue;
          followed++;
          const { matches } = compileFilter(filter);
          expect(
            packets.filter(matches).map((p) => p.index),
            `packet ${index + 1}: ${filter}`,
          ).toEqual(own);
        }
      }
      expect(followed).toBeGreaterThan(40);
    },
  );
});
