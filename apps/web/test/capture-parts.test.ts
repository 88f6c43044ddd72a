import { captureStreams, indexCapture, PacketClass } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
  it('has its own PSNs, and the packets of its connection alone', () => {
    expect(streams.requesters.length).toBeGreaterThan(1);
    streams.requesters.forEach(({ connection }, requester) => {
      const psn = captureTimeline(timed, { kind: 'psn', requester });
      expect(psn.tracks).toHaveLength(1);
      expect(psn.tracks[0]!.id).toBe(captureTimeline(timed).tracks[1 + requester]!.id);
      const [ladder] = captureTimeline(timed, { kind: 'ladder', requester }).tracks;
      const shown = ladder?.kind === 'ladder' ? ladder.arrows.map(({ stream }) => stream.length) : [];
      const own = streams.streams.filter(
        ({ requester: of }) => streams.requesters[of]?.connection === connection,
      );
      const sum = (lengths: readonly number[]) => lengths.reduce((all, n) => all + n, 0);
      expect(sum(shown)).toBe(sum(own.map(({ packets }) => packets.length)));
      expect(sum(shown)).toBeGreaterThan(0);
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
});
