/** A flow over a link that loses packets at random, with each recovery: the scenario, and what formulas leave of its goodput. */
import type { Scenario } from '@verbslab/protocol';
import { dataFrame, fullGoodput, onLinkNs } from '../fabric/frames.js';
import { goBackNShare } from '../fabric/go-back-n-share.js';
import { timeoutMs } from '../formulas/retry-timers.js';
import type { LossPoliciesParams } from './params.js';

const MTU = 4096;
const GBPS = 100;
const DURATION_US = 50_000;

export const FULL = fullGoodput(MTU, GBPS);
const PACKET_US = onLinkNs(dataFrame(MTU), GBPS) / 1000;

export const RECOVERIES = [
  { id: 'go-back-n', name: 'Go-back-N' },
  { id: 'go-back-0', name: 'Go-back-0' },
  { id: 'selective-repeat', name: 'Selective repeat' },
] as const;
export type RecoveryId = (typeof RECOVERIES)[number]['id'];

/** Losses of the path, in percent. */
export const LOSSES = [0.01, 0.03, 0.1, 0.3, 1];

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
  link: { delay_ns: 2500, loss: Number((1 - Math.sqrt(1 - loss)).toFixed(6)) },
  transport: {
    recovery,
    timeout,
    window_bytes: window,
    message_bytes: message,
    depth: Math.max(4, Math.ceil((2 * window) / message)),
  },
  traffic: [{ kind: 'flow', from: 0, to: 1 }],
});

/** Share of the link that a window fills without loss. @param rttUs of a packet and its ACK */
const filled = (window: number, rttUs: number): number => Math.min(1, ((window / MTU) * PACKET_US) / rttUs);

/** Share of the full goodput. @param rttUs of a packet and its ACK */
export function shareOf(recovery: RecoveryId, settings: Settings, loss: number, rttUs: number): number {
  const { message, window, timeout } = settings;
  const roundTrip = rttUs / PACKET_US;
  const timer = (timeoutMs(timeout) * 1000) / PACKET_US;
  if (recovery === 'selective-repeat') return filled(window, rttUs) * (1 - loss);
  if (recovery === 'go-back-n')
    return filled(window, rttUs) * goBackNShare({ loss, roundTrip, timeout: timer });
  // A message of n packets is tried again until all of it gets through. Each try that fails wastes a round trip as well.
  const packets = Math.ceil(message / MTU);
  const failures = (1 - loss) ** -packets - 1;
  return (filled(window, rttUs) * packets) / (failures * (1 / loss + roundTrip + loss * timer));
}
