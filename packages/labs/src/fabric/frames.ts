/** Frames of the simulated fabric, and what they take on a link. */

/** Bytes around the payload of a data packet: preamble and gap, Ethernet, IPv4, UDP, BTH, ICRC, FCS. */
const AROUND_PAYLOAD = 20 + 14 + 20 + 8 + 12 + 4 + 4;
/** Bytes of an ACK or a NAK on a link: as above, with an AETH. */
const ACK_FRAME = AROUND_PAYLOAD + 4;

/** Bytes on a link of a data packet that carries a whole path MTU. */
export const dataFrame = (mtu: number): number => mtu + AROUND_PAYLOAD;

/** Nanoseconds that bytes take on a link of `gbps`. */
export const onLinkNs = (bytes: number, gbps: number): number => (bytes * 8) / gbps;

/** Gb/s of payload that a link of `gbps` carries when it is full. */
export const fullGoodput = (mtu: number, gbps: number): number => (gbps * mtu) / dataFrame(mtu);

/** A path between two hosts without a switch, in the simulator's units. */
export interface Path {
  mtu: number;
  gbps: number;
  /** Propagation of the link, one way. */
  delayNs: number;
  /** PCIe and NIC of a host, each way. */
  latencyNs: number;
}

/**
 * Packets that leave after a lost one before its NAK is back. The packet behind the lost one makes the responder send
 * the NAK.
 */
export function packetsUntilNak({ mtu, gbps, delayNs, latencyNs }: Path): number {
  const packet = onLinkNs(dataFrame(mtu), gbps);
  const oneWay = delayNs + 2 * latencyNs;
  return Math.ceil((2 * packet + 2 * oneWay + onLinkNs(ACK_FRAME, gbps)) / packet);
}
