import { qpnText } from '@verbslab/protocol';
import {
  PacketClass,
  type CaptureStream,
  type CaptureStreams,
  type EndpointRef,
  type PacketColumns,
} from '@verbslab/roce';
import { count } from '../../../format/number';
import type { Arrows, LadderTrack, Marks, PsnTrack, Timeline } from '../model/track';
import {
  ARROWS,
  ladderHeight,
  POINTS,
  PSN_PX,
  type ArrowClass,
  type PointClass,
} from '../tracks/packet-looks';
import { ArrivalStream, PlaceStream } from './column-stream';

const ARROW_OF: Readonly<Record<PacketClass, ArrowClass>> = {
  [PacketClass.request]: 'request',
  [PacketClass.readResponse]: 'request',
  [PacketClass.ack]: 'response',
  [PacketClass.other]: 'other',
  [PacketClass.retransmission]: 'retransmission',
  [PacketClass.responseAgain]: 'retransmission',
  [PacketClass.nak]: 'refusal',
  [PacketClass.rnr]: 'refusal',
  [PacketClass.broken]: 'broken',
};

const ORDER = Object.keys(ARROWS);

/** Data of an opened capture for its timeline. */
export interface Timed {
  streams: CaptureStreams;
  columns: PacketColumns;
  durationNs: number;
}

function ladder({ streams: { lanes, laneOf, streams, delays }, columns: { t } }: Timed): LadderTrack[] {
  if (streams.length === 0) return [];
  const arrows = streams
    .map((stream): Arrows & { of: ArrowClass } => {
      const of = ARROW_OF[stream.of];
      return {
        ...ARROWS[of],
        of,
        from: stream.from,
        to: stream.to,
        stream: new ArrivalStream(stream, t, delays),
      };
    })
    .toSorted((a, b) => ORDER.indexOf(a.of) - ORDER.indexOf(b.of));
  return [
    {
      id: 'ladder',
      group: '',
      title: 'Packets',
      kind: 'ladder',
      lanes,
      arrows,
      height: ladderHeight(lanes.length),
      ...(laneOf > 0 ? { caveat: `The last line stands for ${count(laneOf)} others.` } : {}),
    },
  ];
}

const endText = ({ ip, qpn }: EndpointRef): string => (qpn === undefined ? ip : `${ip} QP ${qpnText(qpn)}`);

const POINT_CLASSES = Object.keys(POINTS) as PointClass[];

function psns({ streams: { requesters, requestersOf, streams, places }, columns: { t } }: Timed): PsnTrack[] {
  return requesters.map(({ end, connection, first }, number): PsnTrack => {
    const own = streams.filter(({ requester }) => requester === number);
    const marks = POINT_CLASSES.flatMap((point): Marks[] => {
      const { kind: _, ...look } = POINTS[point];
      return own
        .filter(({ of }) => of === PacketClass[point])
        .map((stream: CaptureStream) => ({
          ...look,
          stream: new PlaceStream(stream, t, places, first),
          of: 'packet',
        }));
    });
    const left = requestersOf - requesters.length;
    return {
      id: `psn ${connection} ${endText(end)}`,
      group: '',
      title: `PSNs of ${endText(end)}`,
      kind: 'psn',
      marks,
      top: Math.max(1, ...marks.map(({ stream }) => stream.range(0, stream.length)[1])),
      height: PSN_PX,
      ...(number === requesters.length - 1 && left > 0
        ? { caveat: `${count(left)} requesters with fewer packets have no graph.` }
        : {}),
    };
  });
}

/** Timeline of a capture, or the PSNs of one of its requesters: an index into those of the streams. */
export function captureTimeline(timed: Timed, requester?: number): Timeline {
  return {
    tracks:
      requester === undefined
        ? [...ladder(timed), ...psns(timed)]
        : psns(timed).filter((_, number) => number === requester),
    domain: [0, Math.max(1, timed.durationNs)],
    groups: [{ id: '', title: 'Capture', clockErrorNs: null, folded: false }],
  };
}
