import { runPackets } from '../../model/packet-rows';
import type { RunModel } from '../../model/run-model';
import type { Selection } from '../../model/selection';
import type { Chosen } from './draw/pen';
import { lastOf, workRequests } from './tracks/requests';
import type { Related } from './relations';

/** Marks of all tracks: the selection and the items related to it. */
export function chosenOf(selection: Selection | null, related: Related): Chosen {
  const wr = new Set<number>();
  const packet = new Set<number>(related.packets);
  const event = new Set<number>();
  if (related.wr) wr.add(related.wr.seq);
  if (related.completion !== null) event.add(related.completion);
  if (selection?.kind === 'packet') packet.add(selection.index);
  if (selection?.kind === 'event') event.add(selection.seq);
  return { wr, packet, event };
}

/** First and last time of a selection and the items related to it; null if none of them has a time. */
export function reachOf(model: RunModel, selection: Selection, related: Related): [number, number] | null {
  const times: number[] = [];
  if (related.wr) times.push(related.wr.posted, lastOf(related.wr));
  const rows = runPackets(model.packets);
  for (const index of related.packets) {
    const t = rows.time(index);
    if (t !== undefined) times.push(t);
  }
  if (selection.kind === 'event') {
    const e = model.eventAt(selection.seq);
    if (e) times.push(e.t, e.kind === 'verb' ? e.t + e.durationNs : e.t);
  }
  if (selection.kind === 'qp') {
    for (const wr of workRequests(model))
      if (wr.qpn === selection.qpn && wr.endpoint === selection.endpoint) times.push(wr.posted, lastOf(wr));
  }
  if (times.length === 0) return null;
  return [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
}
