import type { FoundConnection } from '../connections.js';
import type { Evidence } from '../diagnoser.js';
import type { Flow } from '../flow.js';
import { Sample } from '../../base/sample.js';
import type { Finding, Severity } from '../types.js';
import { count, end, plural } from './words.js';

/** A kind of finding: its name, the check in words, and the check itself. */
export interface FindingClass {
  id: string;
  /** The check in words, shown if a capture has no such finding. */
  checks: string;
  find(evidence: Evidence): Finding[];
}

/** Text of a class about one direction of a connection. */
export interface Said {
  text: string;
  why: string;
  cure: string;
  severity: Severity;
  packets: Sample;
}

/** Connections that a class describes. The rest share one sentence. */
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

/** A direction of a connection, and the names of its ends. */
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

/** Calls `look` for each direction of each connection. Describes those with the most packets and counts the others. */
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
  const text = `The same in ${count(rest.length)} more ${rest.length === 1 ? 'direction' : 'directions'} of connections, ${plural(packets.total, 'packet')} in all.`;
  return [...shown, finding(id, { text, why, cure, severity, packets }, rest[0]!.connection)];
}
