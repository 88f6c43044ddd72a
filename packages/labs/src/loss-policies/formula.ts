/** A flow over a path that loses packets at random, with each recovery: the scenario, and what formulas leave of its goodput. */
import type { Scenario } from '@verbslab/protocol';
import { dataFrame, fullGoodput, onLinkNs } from '../fabric/frames.js';
import { goBackNShare } from '../fabric/go-back-n-share.js';
import { timeoutMs } from '../formulas/retry-timers.js';
import type { LossPoliciesParams } from './params.js';

const MTU = 4096;
const GBPS = 100;
const DURATION_US = 50_000;

export const FULL = fullGoodput(MTU, GBPS);
export const PACKET_US = onLinkNs(dataFrame(MTU), GBPS) / 1000;

export const RECOVERIES = [
  { id: 'go-back-n', name: 'Go-back-N' },
  { id: 'go-back-0', name: 'Go-back-0' },
  { id: 'selective-repeat', name: 'Selective repeat' },
] as const;
export type RecoveryId = (typeof RECOVERIES)[number]['id'];

/** Losses of the path, in percent. */
export const LOSSES = [0.01, 0.03, 0.1, 0.3, 1];

/** Propagation of a link: with it, as many packets are on their way as the live device has in flight. */
const DELAY_NS = 7270;
/** Packets that a receiver keeps ahead of their turn: more than a round trip of them. */
const KEPT = 256;

type Settings = Pick<LossPoliciesParams, 'message' | 'window' | 'timeout'>;

/** @param loss of the path, 0 to 1 */
export const scenarioOf = (
  recovery: RecoveryId,
  { message, window, timeout }: Settings,
  loss: number,
  seed: number,
): Scenario => ({
  name: recovery,
  seed,
  duration_us: DURATION_US,
  topology: { kind: 'star', hosts: 2 },
  // Both links of the path lose packets.
  link: { delay_ns: DELAY_NS, loss: Number((1 - Math.sqrt(1 - loss)).toFixed(6)) },
  transport: {
    recovery,
    timeout,
    window_bytes: window,
    message_bytes: message,
    depth: Math.max(4, Math.ceil((2 * window) / message)),
    reorder_packets: KEPT,
  },
  traffic: [{ kind: 'flow', from: 0, to: 1 }],
});

/** Share of the link that a window fills without loss. @param rttUs of a packet and its ACK */
const filled = (window: number, rttUs: number): number => Math.min(1, ((window / MTU) * PACKET_US) / rttUs);

/** A path in packets: all that the formulas need. */
export interface PathInPackets {
  /** Packets of a message. */
  message: number;
  /** W: packets that are on their way when a loss is noticed. */
  flight: number;
  /** R: packets that fit into an ACK timeout. */
  timeout: number;
}

export const packetsOf = (message: number): number => Math.ceil(message / MTU);

/** The simulated path. @param rttUs of a packet and its ACK */
export const simulatedPath = ({ message, timeout }: Settings, rttUs: number): PathInPackets => ({
  message: packetsOf(message),
  flight: rttUs / PACKET_US,
  timeout: (timeoutMs(timeout) * 1000) / PACKET_US,
});

/** Share of the goodput without loss. */
export function shareOf(recovery: RecoveryId, path: PathInPackets, loss: number): number {
  if (recovery === 'selective-repeat') return 1 - loss;
  const { message, flight, timeout } = path;
  if (recovery === 'go-back-n') return goBackNShare({ loss, roundTrip: flight, timeout });
  // A message is tried again until all of it gets through. Each try that fails wastes what is on its way as well.
  const failures = (1 - loss) ** -message - 1;
  return message / (failures * (1 / loss + flight + loss * timeout));
}

/** Share of the full link in the simulation. @param rttUs of a packet and its ACK */
export const simulatedShare = (
  recovery: RecoveryId,
  settings: Settings,
  loss: number,
  rttUs: number,
): number => filled(settings.window, rttUs) * shareOf(recovery, simulatedPath(settings, rttUs), loss);
