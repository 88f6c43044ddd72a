/** Recorded packets of an object. */
import { runPackets } from '../packet-rows';
import type { RunModel } from '../run-model';
import { peerQpn, type MachineObject } from './object';

/** Number of packets to search, from the latest backwards. */
const LOOKED = 20_000;

/**
 * Packets that a QP sent or received, or that carry the key of a region or window: at most `most`, latest first. An RC
 * packet only names its destination QP, so the packets that a QP sent are those to its peer.
 */
export function packetsOf(run: RunModel, object: MachineObject, most: number): number[] {
  const { kind, number, endpoint } = object;
  if (number === null || !['QP', 'MR', 'MW'].includes(kind)) return [];
  const peer = kind === 'QP' ? peerQpn(object) : null;
  const rows = runPackets(run.packets);
  const found: number[] = [];
  const from = Math.max(0, rows.length - LOOKED);
  for (let i = rows.length - 1; i >= from && found.length < most; i--) {
    const row = rows.at(i)!;
    if (row.destQp === undefined) continue;
    const source = run.sources.get(rows.source(i)!);
    const own = (source?.endpoint ?? source?.role) === endpoint;
    // Directions are reversed at the tap of another endpoint.
    const sent = (row.direction === 'out') === own;
    const mine =
      kind === 'QP'
        ? (!sent && row.destQp === number) || (sent && (row.srcQp === number || row.destQp === peer))
        : row.rkey === number;
    if (mine) found.push(i);
  }
  return found;
}
