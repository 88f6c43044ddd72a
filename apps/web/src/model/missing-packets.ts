import { plural } from '@verbslab/labs';
import { count } from '../format/number';
import type { RunModel } from './run-model';

/** A number of packets that were not captured, and where, in the words of every place that says so. */
export const notCaptured = (n: number, where = ''): string =>
  `${plural(n, 'packet')}${where} ${n === 1 ? 'was' : 'were'} not captured`;

/**
 * Text with the number of packets that were not captured; empty if none are missing. Each end of a connection captures
 * separately, so the numbers of several endpoints do not add up to packets.
 */
export function missingPackets({ packets, sources }: Pick<RunModel, 'packets' | 'sources'>): string {
  if (packets.dropped === 0) return '';
  const byEndpoint = new Map<string, number>();
  let elsewhere = packets.dropped;
  for (const [source, dropped] of packets.droppedBy) {
    const endpoint = sources.get(source)?.endpoint;
    if (endpoint === undefined) continue;
    byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + dropped);
    elsewhere -= dropped;
  }
  if (byEndpoint.size < 2) return `${notCaptured(packets.dropped)}.`;
  const places = [...byEndpoint].map(([endpoint, n]) => `${count(n)} at ${endpoint}`);
  if (elsewhere > 0) places.push(`${count(elsewhere)} by the recorder`);
  return `Packets that were not captured: ${places.join(', ')}. One that both ends missed counts at each.`;
}
