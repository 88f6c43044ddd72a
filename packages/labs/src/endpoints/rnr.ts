/** A responder without a RECV, which refuses with an RNR NAK: labs wait for that before they post one. */
import type { EndpointHandle, LabContext } from '@verbslab/protocol';

const WAIT_MS = 10_000;

export const CANNOT_SEE_RNR =
  'This device does not count its RNR NAKs, so the run cannot tell when to post the RECV.';

/** RNR NAKs that the device of this endpoint has sent; null where it does not count them. */
export async function rnrNaksSent(endpoint: EndpointHandle): Promise<number | null> {
  if (!endpoint.has('counters')) return null;
  const { values } = await endpoint.call('counters', { when: 'sample' });
  return values.send_rnr_err ?? null;
}

/** Resolves when there are more than `before`; false where that does not happen in time. */
export async function untilRnrNak(
  ctx: LabContext<unknown>,
  endpoint: EndpointHandle,
  before: number,
): Promise<boolean> {
  const deadline = ctx.now() + WAIT_MS * 1e6;
  while (ctx.now() < deadline) {
    ctx.signal.throwIfAborted();
    if (((await rnrNaksSent(endpoint)) ?? 0) > before) return true;
  }
  return false;
}
