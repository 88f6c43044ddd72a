import type { HostedEndpoint } from '../endpoint/hosted-endpoint.js';

/**
 * Describes how far the clock of an endpoint’s host drifted during a run; null if not measurably. Times of another host
 * were converted to the run’s clock with an offset measured at the start.
 */
export async function driftText(role: string, endpoint: HostedEndpoint): Promise<string | null> {
  const found = await endpoint.drift?.();
  if (!found || Math.abs(found.driftNs) <= found.errorNs) return null;
  const us = Math.round(Math.abs(found.driftNs) / 1000);
  const way = found.driftNs > 0 ? 'late' : 'early';
  return `The clocks of the two hosts drifted apart during the run: at its end, times of the ${role} are ${us} µs too ${way}.`;
}
