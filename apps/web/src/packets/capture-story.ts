import type { CaptureSummary, DecodedFile, Message } from '@verbslab/roce';
import { bytes, count, text } from '../format/number';

/** Connections that get a sentence of their own. */
const DESCRIBED = 3;

type Connection = CaptureSummary['connections'][number];

const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** What is asked of the other end; datagrams and connection management have no such word. */
const DONE: Partial<Record<Message['kind'], string>> = {
  SEND: 'sent',
  'SEND with immediate': 'sent',
  'SEND with invalidate': 'sent',
  'RDMA WRITE': 'wrote',
  'RDMA WRITE with immediate': 'wrote',
  'RDMA READ': 'read',
  'Compare Swap': 'asked for atomics in',
  'Fetch Add': 'asked for atomics in',
};

function sizes(messages: readonly Message[]): string {
  const all = messages.map((m) => m.bytes);
  const least = Math.min(...all);
  const most = Math.max(...all);
  return least === most
    ? `${text(bytes(most))}${all.length > 1 ? ' each' : ''}`
    : `${text(bytes(least))} to ${text(bytes(most))}`;
}

/** Packets are missing that were not retransmitted: the capture is a sample, was cut, or began late. */
const incomplete = ({ missing, retransmissions, duplicates }: Connection): boolean =>
  missing[0] + missing[1] > retransmissions - duplicates;

/**
 * Who asked whom for what: `10.9.0.2 wrote 60 messages of 16 KiB each to 10.9.0.1`. An incomplete capture may
 * lack messages, and parts of those that it has.
 */
function requests(c: Connection, all: readonly Message[], end: 0 | 1, cut: boolean): string[] {
  const { id, ends } = c;
  const own = all.filter((m) => m.connection === id && m.from === end && DONE[m.kind] !== undefined);
  const [from, to] = [ends[end], ends[end === 0 ? 1 : 0]];
  const qp = to.qpn === undefined ? '' : ` (QP 0x${to.qpn.toString(16)})`;
  return [...new Set(own.map((m) => DONE[m.kind]!))].map((done) => {
    const some = own.filter((m) => DONE[m.kind] === done);
    const way = done === 'read' ? 'from' : 'to';
    if (cut || incomplete(c))
      return `${from.ip} ${done} messages ${way} ${to.ip}${qp}: ${count(some.length)} of ${sizes(some)} ${some.length === 1 ? 'is' : 'are'} here, in whole or in part.`;
    return `${from.ip} ${done} ${plural(some.length, 'message')} of ${sizes(some)} ${way} ${to.ip}${qp}.`;
  });
}

/** What is missing here, and how the ends recovered. */
function losses(c: Connection): string[] {
  const said = ([0, 1] as const).flatMap((end) =>
    c.missing[end] === 0
      ? []
      : [
          `${plural(c.missing[end], 'packet')} from ${c.ends[end].ip} ${c.missing[end] === 1 ? 'is' : 'are'} missing here where a later one was captured.`,
        ],
  );
  if (c.retransmissions === 0) return said;
  const fresh = c.retransmissions - c.duplicates;
  const asked =
    c.naks > 0
      ? ` after ${plural(c.naks, 'NAK')}`
      : c.rnrNaks > 0
        ? ` after ${plural(c.rnrNaks, 'RNR NAK')}`
        : '';
  said.push(
    `${plural(c.retransmissions, 'packet')} ${c.retransmissions === 1 ? 'was' : 'were'} retransmitted${asked}: ` +
      `${count(c.duplicates)} had been captured before, and ${count(fresh)} had not.`,
  );
  return said;
}

/** In words what a capture shows: who asked whom for what, what is missing, and how it was recovered. */
export function captureStory({
  summary,
  analysis,
  error,
}: Pick<DecodedFile, 'summary' | 'analysis' | 'error'>): string[] {
  const cut = error !== undefined;
  const told = summary.connections.filter((c) => c.messages > 0).slice(0, DESCRIBED);
  const stories = told
    .map((c) => [
      ...requests(c, analysis.messages, 0, cut),
      ...requests(c, analysis.messages, 1, cut),
      ...losses(c),
    ])
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => sentences.join(' '));
  const more = summary.connections.length - told.length;
  return more > 0 && stories.length > 0
    ? [...stories, `${plural(more, 'more connection is', 'more connections are')} not described.`]
    : stories;
}
