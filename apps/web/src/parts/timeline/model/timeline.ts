import { isFinal, LOCAL_HOST, type LabDescription, type Transport } from '@verbslab/protocol';
import type { Analysis } from '@verbslab/roce';
import type { RunModel } from '../../../model/run-model';
import { callTracks, eventTracks } from '../tracks/calls';
import { COUNTERS, countersOf, counterTracks } from '../tracks/counters';
import { depthTracks } from '../tracks/depth';
import { faultTracks } from '../tracks/faults';
import { heatTracks } from '../tracks/heat';
import { phaseTrack } from '../tracks/phases';
import { ladderTrack, psnTracks } from '../tracks/packets';
import { stateTracks } from '../tracks/qp-states';
import { rateTracks } from '../tracks/rates';
import { requestTracks } from '../tracks/requests';
import { stepTrack } from '../tracks/steps';
import type { Stream } from './stream';
import type { Timeline, Track } from './track';

const endsOf = (stream: Stream): readonly [number | undefined, number | undefined] =>
  stream.length === 0 ? [undefined, undefined] : [stream.time(0), stream.time(stream.length - 1)];

/** The first and the last time of what a track holds. */
export function reach(track: Track): readonly [number, number] {
  const ends: (readonly [number | undefined, number | undefined])[] = (() => {
    switch (track.kind) {
      case 'spans':
        return track.rows.map((row) => [row[0]?.from, row.at(-1)?.to] as const);
      case 'marks':
      case 'psn':
        return track.marks.map(({ stream }) => endsOf(stream));
      case 'ladder':
        return track.arrows.map(({ stream }) => endsOf(stream));
      case 'lines':
        return track.lines.map(
          ({ t }) => [t[0] === undefined ? undefined : t[0] - (track.width ?? 0), t.at(-1)] as const,
        );
      case 'heat':
        return [
          [track.t[0] === undefined ? undefined : track.t[0] - track.width[0]!, track.t.at(-1)] as const,
        ];
    }
  })();
  return [
    Math.min(...ends.map(([from]) => from ?? Infinity)),
    Math.max(...ends.map(([, to]) => to ?? -Infinity)),
  ];
}

/** `pid 4711`, or the endpoint with the host it is on where that is another one. */
function groupTitle(model: RunModel, id: string): string {
  if (id === '') return 'Run';
  if (id.endsWith(COUNTERS)) return `Counters of ${groupTitle(model, id.slice(0, -COUNTERS.length))}`;
  const host = model.endpoints.get(id)?.host ?? LOCAL_HOST;
  return host === LOCAL_HOST ? id : `${id} on ${host}`;
}

/** Everything that a run recorded, on one axis of time. */
export function timelineOf(
  model: RunModel,
  lab: LabDescription | null,
  analysis: Analysis | null,
  nameOf: (transport: Transport) => string,
): Timeline {
  const before: Track[] = [
    ...stepTrack(model, lab),
    ...rateTracks(model, nameOf),
    ...(analysis ? ladderTrack(analysis) : []),
    ...eventTracks(model),
    ...requestTracks(model),
    ...depthTracks(model),
    ...(analysis ? psnTracks(analysis) : []),
    ...heatTracks(model, nameOf),
    ...counterTracks(model),
  ];
  const calls = callTracks(model);
  const reaches = [...before, ...calls].map(reach);
  const first = Math.min(...reaches.map(([from]) => from));
  const last = Math.max(...reaches.map(([, to]) => to));
  const end = Number.isFinite(last) ? last : 0;
  const tracks = [
    ...phaseTrack(model, end),
    ...before,
    ...faultTracks(model, end),
    ...stateTracks(model, end),
    ...calls,
  ];
  const ids = new Set(tracks.map(({ group }) => group));
  // The run itself first, then its endpoints in the order of the lab, or in which they were opened.
  const named = [...(lab?.roles.map(({ name }) => name) ?? []), ...model.endpoints.keys()];
  const plain = [...ids].filter((id) => !id.endsWith(COUNTERS));
  const endpoints = ['', ...named, ...plain];
  const order = [...endpoints, ...endpoints.map(countersOf)].filter(
    (id, i, all) => ids.has(id) && all.indexOf(id) === i,
  );
  const rank = new Map(order.map((id, i) => [id, i]));
  return {
    tracks: tracks.toSorted((a, b) => rank.get(a.group)! - rank.get(b.group)!),
    domain: Number.isFinite(first) && last > first ? [first, last] : [0, 1],
    groups: order.map((id) => ({
      id,
      title: groupTitle(model, id),
      clockErrorNs: model.endpoints.get(id)?.clockErrorNs ?? null,
      folded: id.endsWith(COUNTERS),
    })),
  };
}

/** What of a live run is worth drawing again. */
export const versionOf = ({ version: v, record }: RunModel): number =>
  v.series +
  v.histogram +
  v.packets +
  v.trace +
  v.counters +
  v.notes +
  v.objects +
  v.work +
  (isFinal(record.state) ? 1 : 0);
