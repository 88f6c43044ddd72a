/** Which recorded packets belong to an object. */
import type { PacketRow } from '@verbslab/roce';
import type { RunModel } from '../run-model';
import { peerQpn, type MachineObject } from './object';

/** How many packets are looked through, from the latest backwards. */
const LOOKED = 20_000;

/** Reads a packet: its row. */
type RowAt = (index: number) => PacketRow | undefined;

/**
 * Packets that a QP sent or received, or that carry the key of a region or window; the latest first, `most` of them. A packet
 * of RC names only the QP that it goes to, so what a QP sent is what went to its peer.
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
    // At the tap of another endpoint the directions are turned round.
    const sent = (all[i]!.direction === 'sent') === own;
    const mine =
      kind === 'QP'
        ? (!sent && row.destQp === number) || (sent && (row.srcQp === number || row.destQp === peer))
        : row.rkey === number;
    if (mine) found.push(i);
  }
  return found;
}
