/** The ring of the lab, and what timeouts cost it. */
import type { Scenario } from '@verbslab/protocol';
import { timeoutMs } from '../formulas/retry-timers.js';

const MTU = 4096;
const KIB = 1024;

/** A ring of `hosts`, each sending `packets` in every step. */
export interface Ring {
  hosts: number;
  packets: number;
  timeout: number;
}

export const packetsOf = (kibibytes: number): number => (kibibytes * KIB) / MTU;
export const stepsOf = (hosts: number): number => 2 * (hosts - 1);
export const timeoutUs = (timeout: number): number => timeoutMs(timeout) * 1000;

/** @param loss of a path between two hosts, 0 to 1 */
export const scenarioOf = ({ hosts, packets, timeout }: Ring, loss: number, seed: number): Scenario => ({
  name: `Ring of ${hosts}`,
  seed,
  duration_us: 100_000_000,
  until_done: true,
  topology: { kind: 'star', hosts },
  // A path crosses two links.
  link: { loss: Number((1 - Math.sqrt(1 - loss)).toFixed(6)) },
  switch: { buffer_bytes: 1_000_000_000, lossy_alpha: 64 },
  transport: { timeout },
  traffic: [{ kind: 'ring-all-reduce', bytes: hosts * packets * MTU }],
});

/**
 * Expected timeouts of a whole run. A packet that is lost when it is resent waits for the timeout, and the last packet of
 * the last step does at once, because nothing follows it. All other gaps are shown by the packets of the next step.
 */
export const timeoutsOf = ({ hosts, packets }: Ring, loss: number): number =>
  hosts * (stepsOf(hosts) * packets * loss ** 2 + loss);

/**
 * Timeouts that the ring waits for, one after another. A step of a host depends on its own step before and on its predecessor’s.
 * Of all chains of such steps, the one with most timeouts decides. In a field of points of density q, the longest chain over L steps
 * has √q L points; and never more than there are.
 */
export function waitedFor(ring: Ring, loss: number): number {
  const density = ring.packets * loss ** 2;
  return Math.min(timeoutsOf(ring, loss), Math.sqrt(density) * stepsOf(ring.hosts));
}

/** Time over the one without loss. @param idealUs without loss */
export const slowdownOf = (ring: Ring, loss: number, idealUs: number): number =>
  1 + (waitedFor(ring, loss) * timeoutUs(ring.timeout)) / idealUs;

/** Time over the one without loss if all hosts waited for each other after every step, and a lost last packet of a step for the timeout. */
export const withBarrier = (ring: Ring, loss: number, idealUs: number): number =>
  1 + (stepsOf(ring.hosts) * (1 - (1 - loss) ** ring.hosts) * timeoutUs(ring.timeout)) / idealUs;
