import { qpnText } from '@verbslab/protocol';
import type { Color, Line, LineTrack } from '../model/track';
import type { QpRequests } from './requests';

/** Number of items in a queue over time, from the times at which each entered and left. Items without an end stay. */
export function depthLine(
  name: string,
  color: Color,
  stays: readonly { from: number; to: number | null }[],
): Line {
  const changes = stays.flatMap(({ from, to }) => [
    { t: from, by: 1 },
    ...(to === null ? [] : [{ t: to, by: -1 }]),
  ]);
  // At the same time, items leave before others enter.
  changes.sort((a, b) => a.t - b.t || a.by - b.by);
  const t: number[] = [];
  const y: number[] = [];
  let depth = 0;
  for (const change of changes) {
    depth += change.by;
    if (t.at(-1) === change.t) y[y.length - 1] = depth;
    else {
      t.push(change.t);
      y.push(depth);
    }
  }
  return { name, color, t: Float64Array.from(t), y: Float64Array.from(y) };
}

const UNKNOWN: Line = {
  name: 'not known',
  color: 'line-strong',
  t: Float64Array.of(0),
  y: Float64Array.of(NaN),
};

/** Occupied slots of send queues and CQEs not yet polled, by QP. */
export function depthTracks(qps: readonly QpRequests[]): LineTrack[] {
  return qps.map(({ endpoint, qpn, requests, caveat, sampled }) => {
    // A sample of the requests leaves the number in a queue unknown, not small.
    const lines = sampled
      ? [UNKNOWN]
      : [
          depthLine(
            'in the send queue',
            'rdma',
            requests.map((wr) => ({ from: wr.posted, to: wr.cqe ?? wr.polled })),
          ),
          depthLine(
            'CQEs not yet polled',
            'tcp',
            requests.flatMap(({ cqe, polled }) => (cqe === null ? [] : [{ from: cqe, to: polled }])),
          ),
        ];
    return {
      id: `depth ${endpoint} ${qpn}`,
      group: endpoint,
      title: `Queues of QP ${qpnText(qpn)}`,
      kind: 'lines',
      form: 'steps',
      lines,
      top: Math.max(1, ...lines.map(({ y }) => y.reduce((a, b) => (b > a ? b : a), 0))),
      unit: 'entries',
      height: 40,
      ...(caveat === null ? {} : { caveat }),
    };
  });
}
