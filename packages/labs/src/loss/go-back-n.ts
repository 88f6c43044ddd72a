/** Costs of losses for a go-back-N sender. Pure functions; all times are in ns. */
import { timeoutMs } from '../formulas/retry-timers.js';

/** ACK timeout of the QP’s attribute: 4.096 µs × 2^timeout. */
export const timeoutNs = (timeout: number): number => timeoutMs(timeout) * 1e6;

export interface Sender {
  /** Packets of a message. */
  packets: number;
  /** Messages in flight. */
  window: number;
  /** Time per message without loss. */
  perMessage: number;
  /** Latency of a message without loss. */
  latency: number;
  /** ACK timeout. */
  timeout: number;
}

/** Losses per message that stop the sender, where each packet is lost with probability `loss`, also when it is retransmitted. */
export const stops = (packets: number, loss: number): number => (packets * loss) / (1 - loss);

/**
 * Part of the losses that only the ACK timeout finds: those without a packet behind them, which would show the gap, and those of a
 * packet that was NAKed before, because the responder sends one NAK for a gap.
 */
export function unseen({ packets, window }: Pick<Sender, 'packets' | 'window'>, loss: number): number {
  const last = window === 1 ? 1 / packets : 0;
  return last + (1 - last) * loss;
}

/**
 * Time per message. Until a loss is found, the sender sends packets that the responder drops, so a loss costs the time that it takes
 * to find: a NAK comes after about one latency, the timeout otherwise. The sender then starts again at the lost packet.
 */
export function timeWithLoss(sender: Sender, loss: number): number {
  const late = unseen(sender, loss);
  const each = (1 - late) * sender.latency + late * sender.timeout;
  return sender.perMessage + stops(sender.packets, loss) * each;
}
