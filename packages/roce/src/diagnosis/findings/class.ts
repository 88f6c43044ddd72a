import type { FoundConnection } from '../connections.js';
import type { Evidence } from '../diagnoser.js';
import type { Flow } from '../flow.js';
import { Sample } from '../../base/sample.js';
import type { Finding, Severity } from '../types.js';
import { count, end } from './words.js';

/** One kind of finding: its name, what it looks for, and how it looks. */
export interface FindingClass {
  id: string;
  /** What was checked, for a capture in which it found nothing. */
  checks: string;
  find(evidence: Evidence): Finding[];
}

/** What a class says of one direction of a connection. */
export interface Said {
  text: string;
  why: string;
  cure: string;
  severity: Severity;
  packets: Sample;
}

/** Connections that a class describes; the rest get one sentence together. */
export const DESCRIBED = 10;

export function finding(id: string, said: Said, connection?: number): Finding {
  const { severity, text, why, cure, packets } = said;
  return {
    id,
    severity,
    text,
    why,
    cure,
    packets: packets.first,
    total: packets.total,
    ...(connection === undefined ? {} : { connection }),
  };
}

/** One direction of a connection, and the names of its ends. */
export interface Way {
  flow: Flow;
  /** The flow in the other direction; its answers are to requests of `flow`. */
  back: Flow | null;
  from: string;
  to: string;
  connection: FoundConnection;
}

export function* ways(connections: readonly FoundConnection[]): Generator<Way> {
  for (const connection of connections) {
    const [there, back] = connection.flows;
    const [a, b] = connection.shown.ends;
    yield { flow: there, back, from: end(a), to: end(b), connection };
    if (back) yield { flow: back, back: there, from: end(b), to: end(a), connection };
  }
}

/** Asks each direction of each connection. Those with most packets are described, the others counted. */
export function perWay(id: string, evidence: Evidence, look: (way: Way) => Said | null): Finding[] {
  const found: { said: Said; connection: number }[] = [];
  for (const way of ways(evidence.connections)) {
    const said = look(way);
    if (said) found.push({ said, connection: way.connection.shown.id });
  }
  found.sort((a, b) => b.said.packets.total - a.said.packets.total);
  const shown = found.slice(0, DESCRIBED).map(({ said, connection }) => finding(id, said, connection));
  const rest = found.slice(DESCRIBED);
  if (rest.length === 0) return shown;
  const packets = new Sample();
  for (const { said } of rest) packets.addAll(said.packets);
  const { severity, why, cure } = rest[0]!.said;
  const text = `The same in ${count(rest.length)} more ${rest.length === 1 ? 'direction' : 'directions'} of connections, ${count(packets.total)} packets in all.`;
  return [...shown, finding(id, { text, why, cure, severity, packets }, rest[0]!.connection)];
}
