import { captureStreams, indexCapture, PacketClass } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectionAround } from '../src/model/connection-around';
import { nearestRequester, requesterLabels } from '../src/packets/views/requesters';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { captureTimeline } from '../src/parts/timeline/capture/capture-tracks';
import { packetsOf } from './packets-of';

const bytes = new Uint8Array(
  readFileSync(new URL('../../../testdata/rxe-verbs-and-cm.pcap', import.meta.url)),
);
const capture = indexCapture(bytes);
const streams = captureStreams(capture);
const timed = { streams, columns: capture.columns, durationNs: capture.diagnosis.durationNs };

describe('a QP on the timeline of a capture', () => {
  it('has its own PSNs', () => {
    expect(streams.requesters.length).toBeGreaterThan(1);
    const all = captureTimeline(timed).tracks;
    streams.requesters.forEach((_, requester) => {
      expect(captureTimeline(timed, requester).tracks.map(({ id }) => id)).toEqual([all[1 + requester]!.id]);
    });
  });

  it('is that of the chosen packet, under its name in the list', () => {
    const rows = packetsOf(new WholeFile(bytes), capture);
    const labels = requesterLabels(streams, rows);
    expect(new Set(labels).size).toBe(labels.length);
    streams.requesters.forEach((_, requester) => {
      const own = streams.streams.find(
        (stream) => stream.requester === requester && stream.of === PacketClass.request,
      )!;
      const packet = own.packets[0]!;
      expect(nearestRequester(streams, packet)).toBe(requester);
      expect(labels[requester]).toContain(`${rows.flow(packet)!.label}: `);
    });
    expect(nearestRequester(streams, null)).toBe(0);
  });

  it('has a ladder around each of its packets', () => {
    const rows = packetsOf(new WholeFile(bytes), capture);
    const { packets } = streams.streams.find(({ requester }) => requester === 0)!;
    const middle = packets[Math.floor(packets.length / 2)]!;
    const near = connectionAround(rows, middle, 10);
    expect(near).toEqual(near.toSorted((a, b) => a - b));
    expect(near.indexOf(middle)).toBe(10);
    expect(near).toHaveLength(21);
    const { pair, ends } = rows.flow(middle)!;
    for (const index of near) {
      const flow = rows.flow(index)!;
      expect([flow.pair, flow.ends]).toEqual([pair, ends]);
      expect(flow.label).toBe(flow.back ? `${ends[1]}→${ends[0]}` : `${ends[0]}→${ends[1]}`);
    }
    expect(new Set(near.map((index) => rows.flow(index)!.back)).size).toBe(2);
  });
});
