import { qpnText } from '@verbslab/protocol';
import type { DiagnosedConnection, Diagnosis, MessageTotals } from '@verbslab/roce';
import { noun } from '@verbslab/labs';
import { bytes, count, text } from '../format/number';

/** Number of connections with sentences of their own. */
const DESCRIBED = 3;

/** Verb for each kind of request; datagrams and connection management have none. */
const DONE: Partial<Record<MessageTotals['kind'], string>> = {
  SEND: 'sent',
  'SEND with immediate': 'sent',
  'SEND with invalidate': 'sent',
  'RDMA WRITE': 'wrote',
  'RDMA WRITE with immediate': 'wrote',
  'RDMA READ': 'read',
  'Compare Swap': 'asked for atomics in',
  'Fetch Add': 'asked for atomics in',
};

interface Asked {
  done: string;
  count: number;
  refused: number;
  sizes: MessageTotals['sizes'];
}

/** Sums the messages with the same verb. */
function asked(messages: readonly MessageTotals[]): Asked[] {
  const all = new Map<string, Asked>();
  for (const { kind, count, refused, sizes } of messages) {
    const done = DONE[kind];
    if (done === undefined) continue;
    const known = all.get(done) ?? { done, count: 0, refused: 0, sizes: null };
    known.count += count;
    known.refused += refused;
    if (sizes)
      known.sizes = [
        Math.min(sizes[0], known.sizes?.[0] ?? Infinity),
        Math.max(sizes[1], known.sizes?.[1] ?? 0),
      ];
    all.set(done, known);
  }
  return [...all.values()];
}

function sizeText({ sizes, count }: Asked): string {
  if (!sizes) return '';
  const [least, most] = sizes;
  return least === most
    ? ` of ${text(bytes(most))}${count > 1 ? ' each' : ''}`
    : ` of ${text(bytes(least))} to ${text(bytes(most))}`;
}

/**
 * Sentences about the requests of an end: `10.9.0.2 wrote 60 messages of 16 KiB each to 10.9.0.1`. An incomplete
 * capture may lack messages, and parts of those that it has.
 */
function requests({ ends, from: ways }: DiagnosedConnection, end: 0 | 1, cut: boolean): string[] {
  const [from, to] = [ends[end], ends[end === 0 ? 1 : 0]];
  const qp = to.qpn === undefined ? '' : ` (QP ${qpnText(to.qpn)})`;
  const incomplete = cut || ways.some((way) => (way?.missing ?? 0) > 0);
  return asked(ways[end]?.messages ?? []).map((all) => {
    const way = all.done === 'read' ? 'from' : 'to';
    const messages = `${count(all.count)} ${noun(all.count, 'message')}${sizeText(all)}`;
    const taken = incomplete
      ? `${from.ip} ${all.done} messages ${way} ${to.ip}${qp}: ${messages} ${all.count === 1 ? 'is' : 'are'} here, in whole or in part.`
      : `${from.ip} ${all.done} ${messages} ${way} ${to.ip}${qp}.`;
    const refused = `${to.ip} refused ${count(all.refused)} ${noun(all.refused, 'message')} of ${from.ip}.`;
    return [all.count > 0 ? taken : '', all.refused > 0 ? refused : ''].filter((one) => one !== '').join(' ');
  });
}

/** Summary of a capture in sentences: the requests of each end of its connections. */
export function captureStory({ connections, error }: Pick<Diagnosis, 'connections' | 'error'>): string[] {
  const cut = error !== undefined;
  const stories: string[] = [];
  for (const connection of connections) {
    if (stories.length === DESCRIBED) break;
    const sentences = [...requests(connection, 0, cut), ...requests(connection, 1, cut)];
    if (sentences.length > 0) stories.push(sentences.join(' '));
  }
  const more = connections.length - stories.length;
  return more > 0 && stories.length > 0
    ? [
        ...stories,
        `${count(more)} more ${noun(more, 'connection')} ${more === 1 ? 'is' : 'are'} in the table below.`,
      ]
    : stories;
}
