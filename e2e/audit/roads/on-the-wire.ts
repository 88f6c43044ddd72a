// Checks of packets that several panels share, by tshark and scapy.
import type { Claim } from '../claim.js';
import type { Evidence } from '../evidence.js';
import type { WirePacket } from '../wire.js';

/** Pattern of a whole count. */
export const N = '[\\d,]+';

/** Checks the ICRC with scapy, which shares no code with the product. */
export function icrc(claim: Claim, { wire }: Evidence): void {
  const { n } = claim.match(
    new RegExp(`^The ICRC of all (?<n>${N}) packets matches our recomputed value\\.$`),
  );
  claim.count(wire!.packets.length, 'tshark', n);
  claim.count(wire!.icrc.packets, 'scapy', n);
  claim.equal(0, 'scapy: wrong ICRCs', String(wire!.icrc.wrong));
}

/** Checks that the PSNs of a direction's data packets follow each other. */
export function psnsInOrder(claim: Claim, packets: readonly WirePacket[]): void {
  const first = packets[0]!.psn;
  packets.forEach(({ psn }, i) =>
    claim.equal((first + i) & 0xff_ffff, `the PSN that tshark reads in packet ${i + 1}`, String(psn)),
  );
}

/** Packets without retransmissions: the first of each PSN. */
export function once(packets: readonly WirePacket[]): WirePacket[] {
  const seen = new Set<number>();
  return packets.filter(({ psn }) => !seen.has(psn) && seen.add(psn));
}
