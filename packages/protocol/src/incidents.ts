// A request that fails is reported several times: by the QP that refused it, by its completion, by an asynchronous event,
// and by the report of each process. All of that is one incident.
import type { RunEvent, RunEventOf } from './events.js';

/** An event that says that something went wrong. */
export type IncidentPart = Pick<RunEvent, 'kind'> & Partial<RunEvent>;

export interface Incident<E> {
  /** As the side that posted the request tells it. Null when that side told nothing. */
  failed: RunEventOf<'finding'> | null;
  /** As the side that refused it tells it, with the reason. */
  refused: RunEventOf<'finding'> | null;
  /** Everything that belongs to it, in its order: the two above too. */
  parts: E[];
}

const REFUSED = 'request-refused';

type AboutRequest = RunEventOf<'finding'> & { request: NonNullable<RunEventOf<'finding'>['request']> };

const aboutRequest = (e: IncidentPart): e is AboutRequest =>
  e.kind === 'finding' && (e as RunEventOf<'finding'>).request !== undefined;

/** The QP that this is about, if it names one. */
function qpnOf(e: IncidentPart): number | undefined {
  if (e.kind === 'completion') return (e as RunEventOf<'completion'>).wc.qpn;
  return e.kind === 'async' ? (e as RunEventOf<'async'>).qpn : undefined;
}

/**
 * Puts together what belongs to one request. Two findings are about the same one when they name the same two QPs: the
 * first failure takes a QP down. Without such a finding nothing is put together.
 */
export function incidentsOf<E extends IncidentPart>(
  problems: readonly E[],
): { incidents: Incident<E>[]; others: E[] } {
  const incidents: (Incident<E> & { qpn: number; peerQpn: number | undefined })[] = [];
  for (const e of problems) {
    if (!aboutRequest(e)) continue;
    const { qpn, peerQpn } = e.request;
    let one = incidents.find(
      (each) =>
        each.qpn === qpn && (each.peerQpn === peerQpn || each.peerQpn === undefined || peerQpn === undefined),
    );
    if (!one) incidents.push((one = { failed: null, refused: null, parts: [], qpn, peerQpn }));
    one.peerQpn ??= peerQpn;
    if (e.id === REFUSED) one.refused ??= e;
    else one.failed ??= e;
  }
  const others: E[] = [];
  for (const e of problems) {
    const request = aboutRequest(e) ? e.request : null;
    const qpn = request?.qpn ?? qpnOf(e);
    const own = (each: (typeof incidents)[number]): boolean =>
      each.qpn === qpn && (request?.peerQpn === undefined || each.peerQpn === request.peerQpn);
    const one =
      qpn === undefined
        ? undefined
        : (incidents.find(own) ?? (request ? undefined : incidents.find(({ peerQpn }) => peerQpn === qpn)));
    if (one) one.parts.push(e);
    else others.push(e);
  }
  return { incidents: incidents.map(({ failed, refused, parts }) => ({ failed, refused, parts })), others };
}
