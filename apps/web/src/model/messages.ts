/** Messages in a run's packets, and their work requests. */
import type { RunEventOf } from '@verbslab/protocol';
import type { Analysis, Message } from '@verbslab/roce';
import { runPackets } from './packet-rows';
import type { RunModel } from './run-model';

/** Tolerance for rounding to whole ns: requests and their packets are stamped exactly, by the same clock. */
const ROUNDING_NS = 2;

/** Messages of a capture by requester QP, in order of time. */
export type MessagesByQp = ReadonlyMap<string, readonly Message[]>;

export function messagesByQp(model: RunModel, analysis: Analysis): MessagesByQp {
  const rows = runPackets(model.packets);
  const endpointOf = (packet: number): string => model.sources.get(rows.source(packet) ?? -1)?.endpoint ?? '';
  const found = new Map<string, Message[]>();
  for (const m of analysis.messages) {
    const first = m.requests[0];
    const { qpn, name } = analysis.connections[m.connection]!.ends[m.from];
    if (first === undefined) continue;
    // A packet that was captured on arrival tells the receiver.
    const sender = name ?? (analysis.rows[first]!.direction === 'out' ? endpointOf(first) : null);
    if (sender === null) continue;
    const to = m.kind === 'Datagram' ? undefined : analysis.rows[first]!.destQp;
    const keys =
      qpn !== undefined ? [`${sender} ${qpn}`] : to === undefined ? [sender] : [sender, `${sender} > ${to}`];
    for (const key of keys) {
      const list = found.get(key);
      if (list) list.push(m);
      else found.set(key, [m]);
    }
  }
  for (const list of found.values()) list.sort((a, b) => a.startT - b.startT);
  return found;
}

/**
 * Messages that a QP sent, in order of time. `to`: the QP to which it is connected, which is
 * all that unanswered packets name.
 */
export const sentMessages = (
  messages: MessagesByQp,
  endpoint: string,
  qpn: number,
  to?: unknown,
): readonly Message[] =>
  messages.get(`${endpoint} ${qpn}`) ??
  messages.get(typeof to === 'number' && to > 0 ? `${endpoint} > ${to}` : endpoint) ??
  [];

/** True if the first packet of the message left while the request was being sent. */
export function beganWithin({ startT }: Message, { firstTx, lastTx }: RunEventOf<'wr'>): boolean {
  if (firstTx === null) return false;
  return startT >= firstTx - ROUNDING_NS && startT <= (lastTx ?? firstTx) + ROUNDING_NS;
}
