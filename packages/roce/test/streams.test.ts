import { describe, expect, it } from 'vitest';
import {
  BLOCK,
  captureStreams,
  decodeFile,
  indexCapture,
  ladderModel,
  PacketClass,
  psnTimeModel,
  PsnPointKind,
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
});
