/** Waits for what a device counts. */
import type { EndpointHandle } from '@verbslab/protocol';

const PAUSE_MS = 1;
const PAUSES = 2000;

/** The counter of the endpoint’s device; null: it has none of that name. */
export async function counted(endpoint: EndpointHandle, name: string): Promise<number | null> {
  if (!endpoint.has('counters')) return null;
  return (await endpoint.call('counters', { when: 'sample' })).values[name] ?? null;
}

/** Waits, for a bounded time, until the counter is above `before`; not at all where that is null. */
export async function untilCounted(
  endpoint: EndpointHandle,
  name: string,
  before: number | null,
): Promise<void> {
  for (let pause = 0; before !== null && pause < PAUSES; pause++) {
    if (((await counted(endpoint, name)) ?? 0) > before) return;
    await endpoint.call('waitAsync', { timeoutMs: PAUSE_MS });
  }
}
