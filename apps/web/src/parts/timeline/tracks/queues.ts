import { isProgram, type QueueKind } from '@verbslab/protocol';
import { queueTitle, type QueueTrack } from '@verbslab/report/queues';
import { plural } from '@verbslab/labs';
import type { RunModel } from '../../../model/run-model';
import type { Color, LineTrack } from '../model/track';
import type { QpRequests } from './requests';

/** Most queues of an endpoint that have a track; the fullest ones. */
const MAX_TRACKS = 16;

const LINES: Readonly<Record<QueueKind, { name: string; color: Color }>> = {
  SQ: { name: 'entries in use', color: 'rdma' },
  RQ: { name: 'receives left', color: 'rdma' },
  SRQ: { name: 'receives left', color: 'rdma' },
  CQ: { name: 'CQEs not polled', color: 'cpu-nic' },
};

const peakOf = ({ fills }: QueueTrack): number =>
  fills.reduce((most, { fill }) => (typeof fill === 'string' ? most : Math.max(most, fill.used)), 0);

function trackOf(queue: QueueTrack): LineTrack {
  const { endpoint, kind, fills } = queue;
  // Before its first sample and while samples leave it out, a queue is unknown.
  const points = [
    { t: 0, y: NaN },
    ...fills.map(({ t, fill }) => ({ t, y: typeof fill === 'string' ? NaN : fill.used })),
  ];
  const last = fills.findLast(({ fill }) => typeof fill !== 'string')?.fill;
  const size = typeof last === 'object' ? last.size : 0;
  return {
    id: `queue ${endpoint} ${kind} ${queue.number}`,
    group: endpoint,
    title: `${queueTitle(queue)}, ${plural(size, 'entry', 'entries')}`,
    kind: 'lines',
    form: 'steps',
    lines: [
      {
        ...LINES[kind],
        t: Float64Array.from(points, ({ t }) => t),
        y: Float64Array.from(points, ({ y }) => y),
      },
    ],
    top: Math.max(1, peakOf(queue)),
    unit: 'entries',
    height: 40,
    ...(fills.some(({ fill }) => fill === 'left-out')
      ? { caveat: 'hatched: not among those that a sample names' }
      : {}),
  };
}

/** Occupancy of queues, as the device sampled it. */
export function queueTracks({ queues }: RunModel): LineTrack[] {
  return queues.endpoints.flatMap((endpoint) => {
    const own = queues.tracks.filter((track) => track.endpoint === endpoint);
    const kept = new Set(own.toSorted((a, b) => peakOf(b) - peakOf(a)).slice(0, MAX_TRACKS));
    return own.filter((track) => kept.has(track)).map(trackOf);
  });
}

/** QPs whose queues the requests tell of: all of a lab, and of a program those that the device did not sample. */
export const notSampled = ({ queues, record }: RunModel, qps: readonly QpRequests[]): readonly QpRequests[] =>
  isProgram(record) ? qps.filter(({ endpoint }) => queues.latest(endpoint) === null) : qps;
