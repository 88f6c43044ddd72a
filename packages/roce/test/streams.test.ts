import { describe, expect, it } from 'vitest';
import {
  BLOCK,
  buildPacket,
  captureStreams,
  decodeFile,
  indexCapture,
  ladderModel,
  LinkType,
  PacketClass,
  psnTimeModel,
  PsnPointKind,
  relativePsn,
  writePcapng,
  type CaptureStreams,
} from '../src/index.js';
import { captureBytes } from './lib/testdata.js';

const CAPTURES = ['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const;

const KINDS: Readonly<Record<number, PacketClass>> = {
  [PsnPointKind.ACK]: PacketClass.ack,
  [PsnPointKind.REQUEST]: PacketClass.request,
  [PsnPointKind.READ_RESPONSE]: PacketClass.readResponse,
  [PsnPointKind.RETRANSMISSION]: PacketClass.retransmission,
  [PsnPointKind.DUPLICATE_RESPONSE]: PacketClass.responseAgain,
  [PsnPointKind.NAK]: PacketClass.nak,
  [PsnPointKind.RNR]: PacketClass.rnr,
};

/** Class of each packet, and the lanes that it goes between. */
function placed({
  streams,
  lanes,
}: CaptureStreams): Map<number, { of: PacketClass; from: string; to: string }> {
  const all = new Map<number, { of: PacketClass; from: string; to: string }>();
  for (const { of, from, to, packets } of streams)
    for (const packet of packets) {
      expect(all.has(packet)).toBe(false);
      all.set(packet, { of, from: lanes[from]!, to: lanes[to]! });
    }
  return all;
}

describe('the packets of a capture in streams', () => {
  it.each(CAPTURES)('%s: each RoCE packet is in one, between the hosts that the ladder shows', (name) => {
    const capture = indexCapture(captureBytes(name));
    const all = placed(captureStreams(capture));
    const { analysis } = decodeFile(captureBytes(name));
    const { packets, lanes } = ladderModel(analysis);
    expect(packets.length).toBeGreaterThan(100);
    for (const { packet, from, to } of packets)
      expect(all.get(packet), `packet ${packet + 1}`).toMatchObject({
        from: lanes[from]!.label,
        to: lanes[to]!.label,
      });
  });

  it.each(CAPTURES)('%s: in the order of their times, with what their blocks hold', (name) => {
    const { columns, ...rest } = indexCapture(captureBytes(name));
    const { streams, places } = captureStreams({ columns, ...rest });
    for (const { packets, blocks } of streams) {
      for (let i = 1; i < packets.length; i++)
        expect(columns.t[packets[i]!]).toBeGreaterThanOrEqual(columns.t[packets[i - 1]!]!);
      expect(blocks.t).toHaveLength(Math.ceil(packets.length / BLOCK));
      blocks.t.forEach((t, block) => {
        const part = packets.subarray(block * BLOCK, (block + 1) * BLOCK);
        const own = Array.from(part, (packet) => places[packet]!);
        expect(t).toBe(columns.t[part[0]!]);
        expect([blocks.least[block], blocks.most[block]]).toEqual([Math.min(...own), Math.max(...own)]);
      });
    }
  });

  it('PSNs rise, fall back and are acknowledged as in the model of a small capture', () => {
    const name = 'rxe-write-8pc-loss.pcap';
    const { streams, places, requesters } = captureStreams(indexCapture(captureBytes(name)));
    const series = psnTimeModel(decodeFile(captureBytes(name)).analysis);
    expect(series.length).toBeGreaterThan(0);
    for (const { requester, psn, kind, packet } of series) {
      const number = requesters.findIndex(({ end }) => end.ip === requester.ip && end.qpn === requester.qpn);
      expect(number).toBeGreaterThanOrEqual(0);
      const { first } = requesters[number]!;
      packet.forEach((index, i) => {
        const stream = streams.find((one) => one.requester === number && one.packets.includes(index));
        expect(stream?.of, `packet ${index + 1}`).toBe(KINDS[kind[i]!]);
        expect(places[index]! - first, `packet ${index + 1}`).toBe(psn[i]);
      });
    }
  });

  it('each packet has its PSN relative to the first request, and the ends that it goes between', () => {
    const name = 'rxe-write-8pc-loss.pcap';
    const capture = indexCapture(captureBytes(name));
    const streams = captureStreams(capture);
    const { columns } = capture;
    const { analysis, packets } = decodeFile(captureBytes(name));
    let known = 0;
    for (const { index, kind } of packets) {
      const relative = relativePsn(streams, columns, index);
      if (analysis.connectionOf[index]! < 0 || kind === 'cm' || Number.isNaN(analysis.psnOf[index])) continue;
      const { ends } = analysis.connections[analysis.connectionOf[index]!]!;
      const sender = analysis.senderOf[index]! as 0 | 1;
      const flow = streams.flows[streams.flowOf[index]!]!;
      expect(relative, `packet ${index + 1}`).toBe(analysis.psnOf[index]);
      expect([flow.from.ip, flow.to.ip, flow.to.qpn]).toEqual([
        ends[sender].ip,
        ends[sender === 0 ? 1 : 0].ip,
        columns.destQp[index],
      ]);
      known++;
    }
    expect(known).toBeGreaterThan(100);
  });

  it('an arrival and a packet with a wrong ICRC have the PSN of the packet that was sent', () => {
    const request = (psn: number) =>
      buildPacket({ src: '10.0.0.1', dst: '10.0.0.2', bth: { opcode: 4, destQp: 7, psn: psn & 0xffffff } });
    const broken = request(0x1000001);
    broken[broken.length - 1]! ^= 1;
    const bytes = writePcapng(
      [{ linkType: LinkType.RAW }],
      [request(0xffffff), request(0xffffff), request(0x1000000), broken].map((data, i) => ({
        timeNs: BigInt(i),
        data,
        direction: i === 1 ? 'in' : 'out',
      })),
    );
    const capture = indexCapture(bytes);
    const streams = captureStreams(capture);
    expect([0, 1, 2, 3].map((i) => relativePsn(streams, capture.columns, i))).toEqual([0, 0, 1, 2]);
    // Its requester is unknown: nothing is said of it.
    expect(relativePsn(streams, capture.columns, 4)).toBeNull();
  });
});
