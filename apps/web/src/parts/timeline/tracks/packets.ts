import { qpnText } from '@verbslab/protocol';
import {
  arrowLabel,
  ladderModel,
  psnTimeModel,
  type Analysis,
  type EndpointRef,
  type LadderPacket,
  type PsnSeries,
} from '@verbslab/roce';
import { EventStream, streamOf } from '../model/stream';
import type { Arrows, LadderTrack, Marks, PsnTrack } from '../model/track';
import { ARROWS, ladderHeight, POINTS, PSN_PX, type ArrowClass } from './packet-looks';

/** Arrival times of packets that were captured at both ends, by the index of the departure. */
function arrivalsOf(analysis: Analysis): Map<number, number> {
  const arrivals = new Map<number, number>();
  analysis.departureOf.forEach((departure, i) => {
    if (departure >= 0) arrivals.set(departure, analysis.rows[i]!.t);
  });
  return arrivals;
}

function classOf({ kind, marks }: LadderPacket): ArrowClass {
  if (kind === 'nak' || kind === 'rnr') return 'refusal';
  if (marks.includes('retransmission')) return 'retransmission';
  if (kind === 'ack' || kind === 'atomic-ack') return 'response';
  return kind === 'cm' || kind === 'cnp' || kind === 'other' || kind === 'malformed' ? 'other' : 'request';
}

/** Packets between hosts or QPs, with time from left to right. */
export function ladderTrack(analysis: Analysis): LadderTrack[] {
  const { lanes, packets } = ladderModel(analysis);
  if (packets.length === 0) return [];
  const arrivals = arrivalsOf(analysis);
  const groups = new Map<string, { of: ArrowClass; from: number; to: number; packets: LadderPacket[] }>();
  for (const p of packets) {
    const of = classOf(p);
    const key = `${of} ${p.from} ${p.to}`;
    const group = groups.get(key) ?? { of, from: p.from, to: p.to, packets: [] };
    groups.set(key, group);
    group.packets.push(p);
  }
  const order = Object.keys(ARROWS);
  const arrows = [...groups.values()]
    .toSorted((a, b) => order.indexOf(a.of) - order.indexOf(b.of))
    .map(({ of, from, to, packets: list }): Arrows => ({
      ...ARROWS[of],
      from,
      to,
      stream: streamOf(
        list,
        ({ t }) => t,
        ({ packet }) => packet,
        ({ packet }) => arrivals.get(packet) ?? NaN,
      ),
    }));
  return [
    {
      id: 'ladder',
      group: '',
      title: 'Packets',
      kind: 'ladder',
      lanes: lanes.map(({ label }) => label),
      arrows,
      height: ladderHeight(lanes.length),
    },
  ];
}

const endText = ({ ip, qpn, name }: EndpointRef): string =>
  `${name ?? ip}${qpn === undefined ? '' : ` QP ${qpnText(qpn)}`}`;

function marksOf(series: PsnSeries): Marks[] {
  return Object.values(POINTS).flatMap(({ kind, ...look }): Marks[] => {
    let n = 0;
    for (const k of series.kind) if (k === kind) n++;
    if (n === 0) return [];
    const t = new Float64Array(n);
    const y = new Float64Array(n);
    const ref = new Uint32Array(n);
    let at = 0;
    series.kind.forEach((k, i) => {
      if (k !== kind) return;
      t[at] = series.t[i]!;
      y[at] = series.psn[i]!;
      ref[at++] = series.packet[i]!;
    });
    return [{ ...look, stream: new EventStream(t, ref, y), of: 'packet' }];
  });
}

/** PSN over time per requester: sent, retransmitted and acknowledged PSNs. */
export function psnTracks(analysis: Analysis): PsnTrack[] {
  return psnTimeModel(analysis).map((series) => ({
    id: `psn ${series.connection} ${endText(series.requester)}`,
    group: series.requester.name ?? '',
    title: `PSNs of ${endText(series.requester)}`,
    kind: 'psn',
    marks: marksOf(series),
    top: Math.max(
      1,
      series.psn.reduce((a, b) => Math.max(a, b), 0),
    ),
    height: PSN_PX,
  }));
}

/** Text for an arrow or a point, as in the list of packets. */
export const packetText = (analysis: Analysis, index: number): string =>
  analysis.rows[index] ? arrowLabel(analysis.rows[index]) : '';
