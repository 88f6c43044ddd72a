import type { ProblemGroup } from '@verbslab/protocol';
import type { PacketRows } from './packet-rows';

/** Beyond these a search would hold the page up. */
const MOST = 50_000;

export interface IncidentPackets {
  /** Rows of the list, from 0. Null: not captured. */
  first: number | null;
  nak: number | null;
}

/** The first packet of a failed request, and the NAK that refused it. */
export function incidentPackets(
  rows: PacketRows,
  { failed, refused }: ProblemGroup<unknown>,
): IncidentPackets {
  const found: IncidentPackets = { first: null, nak: null };
  const request = failed?.request ?? refused?.request;
  if (request?.psn === undefined || request.peerQpn === undefined) return found;
  // The responder names the packet at which it refused, the requester the one at which the request begins.
  const refusedPsn = refused?.request?.psn;
  for (let i = 0; i < Math.min(rows.length, MOST); i++) {
    const row = rows.at(i)!;
    // The arrival of a packet that was also captured as it left says nothing new.
    if (row.direction === 'in' && (row.destQp === request.qpn ? found.nak : found.first) !== null) continue;
    if (row.destQp === request.peerQpn && row.psn === request.psn && row.kind !== 'ack') found.first ??= i;
    if (row.destQp === request.qpn && (row.kind === 'nak' || row.kind === 'rnr')) {
      if (refusedPsn === undefined || row.psn === refusedPsn) found.nak = i;
    }
  }
  return found;
}
