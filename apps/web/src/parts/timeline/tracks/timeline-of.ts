import { isFinal, LOCAL_HOST } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import { reach } from '../kinds';
import { COUNTERS, countersOf } from './counters';
import { MAKERS, type Maker, type Recorded } from './list';
import type { Timeline } from '../model/track';

/** Title such as `pid 4711`, or the endpoint, with its host if that is another one. */
function groupTitle(model: RunModel, id: string): string {
  if (id === '') return 'Run';
  if (id.endsWith(COUNTERS)) return `Counters of ${groupTitle(model, id.slice(0, -COUNTERS.length))}`;
  const host = model.endpoints.get(id)?.host ?? LOCAL_HOST;
  return host === LOCAL_HOST ? id : `${id} on ${host}`;
}

/** Timeline of everything that a run recorded. */
export function timelineOf(recorded: Recorded, makers: readonly Maker[] = MAKERS): Timeline {
  const { model, lab } = recorded;
  const made = new Map(
    makers.flatMap((maker) => (maker.lasting ? [] : [[maker, maker.make(recorded, 0)] as const])),
  );
  const reaches = [...made.values()].flat().map(reach);
  const first = Math.min(recorded.events.first, ...reaches.map(([from]) => from));
  const last = Math.max(...reaches.map(([, to]) => to));
  const end = Number.isFinite(last) ? last : 0;
  const tracks = makers.flatMap((maker) => made.get(maker) ?? maker.make(recorded, end));
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

/** Version of the data that a live run's timeline draws. */
export const versionOf = ({ version: v, record }: RunModel): number =>
  v.series +
  v.histogram +
  v.packets +
  v.trace +
  v.counters +
  v.notes +
  v.objects +
  v.queues +
  v.work +
  (isFinal(record.state) ? 1 : 0);
