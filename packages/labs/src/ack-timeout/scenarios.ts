/** The three parts of the lab: random loss, a queue, and a lost last packet. */
import type { Scenario } from '@verbslab/protocol';
import { dataFrame, fullGoodput, onLinkNs } from '../fabric/frames.js';
import { goBackNShare, type LossyPath } from '../fabric/go-back-n-share.js';
import { timeoutMs } from '../formulas/retry-timers.js';

const MTU = 4096;
const GBPS = 100;
export const WINDOW = 256 * 1024;
/** A full window asks for so many ACKs. */
const ACKS_PER_WINDOW = 4;
export const MESSAGE = 1024 * 1024;
/** Longest simulation of a flow with loss, in timeouts. Long enough to see some of them expire. */
const TIMEOUTS = 30;
const SHORTEST_US = 100_000;
/** Part by which the formula may be off by itself. */
const MODEL_TOLERANCE = 0.05;

export const timeoutUs = (timeout: number): number => timeoutMs(timeout) * 1000;
const durationUs = (timeout: number): number =>
  Math.round(Math.max(SHORTEST_US, TIMEOUTS * timeoutUs(timeout)));
const PACKET_US = onLinkNs(dataFrame(MTU), GBPS) / 1000;
export const FULL = fullGoodput(MTU, GBPS);

/** A flow through a switch. Both of its links lose packets. @param loss of the path, 0 to 1 */
export const lossy = (timeout: number, loss: number, seed: number): Scenario => ({
  name: `Loss, timeout ${timeout}`,
  seed,
  duration_us: durationUs(timeout),
  topology: { kind: 'star', hosts: 2 },
  link: { loss: Number((1 - Math.sqrt(1 - loss)).toFixed(6)), delay_ns: 2500 },
  transport: { timeout, window_bytes: WINDOW },
  traffic: [{ kind: 'flow', from: 0, to: 1 }],
});

const pathOf = (timeout: number, loss: number, rttUs: number): LossyPath => ({
  loss,
  roundTrip: rttUs / PACKET_US,
  timeout: timeoutUs(timeout) / PACKET_US,
});

/** Share of the goodput without loss. @param rttUs of a packet and its ACK */
export const lossFormula = (timeout: number, loss: number, rttUs: number): number =>
  goBackNShare(pathOf(timeout, loss, rttUs));

/**
 * How far a simulation may be from the formula, as a part of it: the expected number n of timeouts is small, and three
 * times out of a thousand it is off by more than 3 √n.
 */
export function lossTolerance(timeout: number, loss: number, rttUs: number): number {
  const share = lossFormula(timeout, loss, rttUs);
  const packets = (share * durationUs(timeout)) / PACKET_US;
  const waiting = (share * loss ** 2 * pathOf(timeout, loss, rttUs).timeout) / (1 - loss);
  return MODEL_TOLERANCE + (3 * waiting) / Math.sqrt(packets * loss ** 2);
}

/** All send to one. The buffer holds every window, so nothing is lost. */
export const queued = (timeout: number, senders: number, seed: number): Scenario => ({
  name: `Queue, timeout ${timeout}`,
  seed,
  duration_us: 100_000,
  until_done: true,
  topology: { kind: 'star', hosts: senders + 1 },
  switch: { buffer_bytes: 4_000_000_000, lossy_alpha: 64 },
  transport: { timeout, window_bytes: WINDOW, acks_per_window: ACKS_PER_WINDOW },
  traffic: [{ kind: 'incast', to: senders, bytes: MESSAGE }],
});

/** Microseconds between two ACKs of a sender that shares the link with all others. @param rttUs without a queue */
export const ackIntervalUs = (senders: number, rttUs: number): number =>
  (senders * WINDOW * PACKET_US) / (ACKS_PER_WINDOW * MTU) + rttUs;

/** Packets that all senders need. */
export const neededBy = (senders: number): number => (senders * MESSAGE) / MTU;

/** Two hosts and a message whose last packet is lost; null: none is. */
export const tail = (timeout: number, lost: boolean): Scenario => ({
  name: `Last packet, timeout ${timeout}`,
  duration_us: 10_000_000,
  until_done: true,
  topology: { kind: 'back-to-back' },
  link: lost ? { lose_every: MESSAGE / MTU } : {},
  transport: { timeout, window_bytes: WINDOW },
  traffic: [{ kind: 'flow', from: 0, to: 1, bytes: MESSAGE }],
});
