/** What go-back-N leaves of a link that loses packets at random. */

export interface LossyPath {
  /** Probability that a packet is lost. */
  loss: number;
  /** Packets that fit into a round trip. */
  roundTrip: number;
  /** Packets that fit into an ACK timeout. */
  timeout: number;
}

/**
 * Share of the goodput without loss. Each loss wastes a round trip. The responder sends one NAK for a gap, so a packet that is
 * lost again when it is resent costs an ACK timeout.
 */
export const goBackNShare = ({ loss, roundTrip, timeout }: LossyPath): number =>
  (1 - loss) / (1 - loss + loss * roundTrip + loss ** 2 * timeout);
