/** Recorded packets of an object. */
import type { PacketRow } from '@verbslab/roce';
import type { RunModel } from '../run-model';
import { peerQpn, type MachineObject } from './object';

/** Number of packets to search, from the latest backwards. */
const LOOKED = 20_000;

/** Returns the row of a packet. */
type RowAt = (index: number) => PacketRow | undefined;

/**
 * Packets that a QP sent or received, or that carry the key of a region or window: at most `most`, latest first. An RC
 * packet only names its destination QP, so the packets that a QP sent are those to its peer.
 */
export function packetsOf(run: RunModel, object: MachineObject, rowAt: RowAt, most: number): number[] {
  const { kind, number, endpoint } = object;
  if (number === null || !['QP', 'MR', 'MW'].includes(kind)) return [];
  const peer = kind === 'QP' ? peerQpn(object) : null;
  const { all } = run.packets;
  const found: number[] = [];
  for (let i = all.length - 1; i >= 0 && i >= all.length - LOOKED && found.length < most; i--) {
    const row = rowAt(i);
    if (row?.destQp === undefined) continue;
    const source = run.sources.get(all[i]!.source);
    const own = (source?.endpoint ?? source?.role) === endpoint;
    // Directions are reversed at the tap of another endpoint.
    const sent = (all[i]!.direction === 'sent') === own;
    const mine =
      kind === 'QP'
        ? (!sent && row.destQp === number) || (sent && (row.srcQp === number || row.destQp === peer))
        : row.rkey === number;
    if (mine) found.push(i);
  }
  return found;
}
