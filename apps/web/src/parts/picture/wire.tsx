import { memo } from 'react';
import type { PacketState } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import type { Geometry, Point } from './geometry';
import { pathOf } from './geometry';
import { Lines, Text } from './text';
import { widthOf } from './words';

const HEIGHT = 22;
const GAP = 6;
/** A packet on an upright lane with its text beside its name is at most this wide. */
const WIDEST = 110;
/** Up to here, a packet is still leaving its device. */
const LEAVING = 0.12;

export interface PacketPlace extends Point {
  packet: PacketState;
  /** Width, and text inside and beside the packet; `side`: where the text beside it stands. */
  w: number;
  label: string;
  note: string | null;
  side: 'above' | 'left' | 'right';
}

/** Lanes of the wire, and words about what is on them. Packets are drawn apart, above the hosts. */
export const Wire = memo(function Wire(props: {
  geometry: Geometry;
  title: string;
  dataText: string | null;
  answerText: string | null;
  /** Packets that are not drawn, and whether one of a lane is lost. */
  hidden: number;
  lost: boolean;
  lostAnswer: boolean;
  quiet: boolean;
}) {
  const { geometry, hidden, lost, lostAnswer, quiet } = props;
  const { hosts, tall, title, dataText, answerText } = geometry;
  const lane = (kind: 'data' | 'answers') => [hosts.client.ports[kind], hosts.server.ports[kind]];
  const left = hidden > 0 ? `and ${hidden} more` : null;
  // A lost packet takes the place of words: it is below its lane, or beside it where hosts are above each other.
  const data = (
    tall ? [left ?? (lost ? null : props.dataText)] : [lost && left ? null : props.dataText, left]
  ).filter((text) => text !== null);
  return (
    <g className={quiet ? 'quiet' : undefined} data-wire>
      <path d={pathOf(lane('answers'))} className="track" />
      <path d={pathOf(lane('data'))} className="track" data-line="data" />
      {tall ? (
        <Lines at={title} texts={props.title.split(/(?<=,) /)} most={2} className="mid" />
      ) : (
        <Text at={title} className="mid">
          {props.title}
        </Text>
      )}
      {props.answerText === null || (tall && lostAnswer) ? null : (
        <Lines at={answerText} texts={[props.answerText]} most={2} className="on" up={!tall} />
      )}
      {data.length > 0 ? (
        <Lines
          at={lost && !tall ? { ...dataText, y: dataText.y + 24 } : dataText}
          texts={data}
          most={tall ? 2 : 3}
          className="mid"
        />
      ) : null}
    </g>
  );
});

/** Packets on the wire. A press on one calls `onPacket`. */
export function Packets(props: {
  places: readonly PacketPlace[];
  /** The packet that the keyboard has chosen. */
  chosen: string | null;
  onPacket: ((id: string) => void) | undefined;
}) {
  const { places, chosen, onPacket } = props;
  return places.map(({ packet, x, y, w, label, note, side }) => (
    <g
      key={packet.id}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      className={cn(
        'packet',
        kindOf(packet),
        packet.between && 'between',
        onPacket && !packet.lost && 'pressed',
      )}
      data-packet={packet.id}
      data-kind={kindOf(packet)}
      onClick={onPacket && !packet.lost ? () => onPacket(packet.id) : undefined}
    >
      {onPacket ? (
        <rect x={-Math.max(22, w / 2)} y={-26} width={Math.max(44, w)} height={48} fillOpacity={0} />
      ) : null}
      {chosen === packet.id ? (
        <rect
          x={-w / 2 - 3}
          y={-HEIGHT / 2 - 3}
          width={w + 6}
          height={HEIGHT + 6}
          rx={5}
          className="chosen"
        />
      ) : null}
      <rect x={-w / 2} y={-HEIGHT / 2} width={w} height={HEIGHT} rx={3} className="body" />
      <text y={4} textAnchor="middle" className="name">
        {label}
      </text>
      {note === null ? null : (
        <text
          x={side === 'left' ? -w / 2 - 5 : side === 'right' ? w / 2 + 5 : 0}
          y={side === 'above' ? -HEIGHT / 2 - 7 : 4}
          textAnchor={side === 'left' ? 'end' : side === 'right' ? 'start' : 'middle'}
          className={cn('mono', packet.lost ? 'bad' : 'mid')}
        >
          {note}
        </text>
      )}
    </g>
  ));
}

/** What a packet looks like. */
const kindOf = ({ lost, again, kind }: PacketState): string =>
  lost ? 'lost' : again && kind === 'data' ? 'again' : kind;

const packetWidth = (label: string): number => Math.max(38, Math.round(widthOf(label) * 1.02 + 12));

/**
 * Where packets are drawn. They keep their order and do not overlap: a packet that has no room stays behind. `hidden`: those
 * that should be on the wire and have no room at all.
 */
export function placedPackets(
  { hosts, tall, width }: Geometry,
  packets: readonly PacketState[],
): { places: PacketPlace[]; hidden: number; lost: boolean; lostAnswer: boolean } {
  const places: PacketPlace[] = [];
  let hidden = 0;
  /** Distance of the last packet of each lane and direction. */
  const last = new Map<string, number>();
  const order = packets.toSorted((a, b) => b.crossed - a.crossed);
  for (const packet of order) {
    const { from, lane, psn, lost } = packet;
    const start = hosts[from].ports[lane];
    const end = hosts[from === 'client' ? 'server' : 'client'].ports[lane];
    const note = [psn, lost ? 'lost' : null].filter((text) => text !== null).join(' ') || null;
    // Where lanes are upright, a packet has its text beside its name, if it then leaves room for the words between the lanes.
    const together = note === null ? packet.label : `${packet.label} ${note}`;
    const label = tall && (lost || packetWidth(together) <= WIDEST) ? together : packet.label;
    const w = packetWidth(label);
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    const inset = tall ? HEIGHT / 2 + 2 : w / 2 + 3;
    let d = inset + (length - 2 * inset) * Math.max(0, Math.min(1, packet.crossed));
    const key = `${lane} ${from}`;
    const before = last.get(key);
    const size = tall ? HEIGHT : w;
    if (!lost) {
      if (before !== undefined) d = Math.min(d, before - GAP - size / 2);
      if (d < inset - 1) {
        if (packet.crossed > LEAVING) hidden++;
        continue;
      }
      last.set(key, d - size / 2);
    }
    const x = start.x + ((end.x - start.x) * d) / length;
    const y = start.y + ((end.y - start.y) * d) / length;
    if (!lost) {
      const at = tall ? Math.max(w / 2 + 1, Math.min(width - w / 2 - 1, x)) : x;
      places.push({ packet, w, label, note: label === packet.label ? note : null, side: 'above', x: at, y });
    } else if (tall) {
      // It has left its lane, and what is beside it on the lane keeps its place.
      const away = (lane === 'data' ? -1 : 1) * (w / 2 + 38);
      const top = Math.min(start.y, end.y);
      places.push({ packet, w, label, note: null, side: 'above', x: x + away, y: Math.max(top + 50, y) });
    } else {
      const [low, high] = start.x < end.x ? [start.x, end.x] : [end.x, start.x];
      const left = x > (low + high) / 2;
      const room = (left ? x - low : high - x) - w / 2 - 8;
      const short = note !== null && widthOf(note, true) > room ? 'lost' : note;
      const beside = short === null || widthOf(short, true) <= room;
      places.push({
        ...{ packet, w, label, note: short, x },
        // Above, the text is between the packet and its lane.
        ...(beside
          ? { side: left ? ('left' as const) : ('right' as const), y: y + 26 }
          : { side: 'above' as const, y: y + 34 }),
      });
    }
  }
  const lostOn = (lane: PacketState['lane']) => packets.some((one) => one.lost && one.lane === lane);
  return { places, hidden, lost: lostOn('data'), lostAnswer: lostOn('answers') };
}
