/** A second request to the same listener, which the server rejects. */
import type { PacketSummary, QpState } from '@verbslab/protocol';
import { rejectReasonText } from '@verbslab/roce';
import { linkOption } from '../endpoints/link.js';
import type { PacketWatch } from '../wire/packet-watch.js';
import type { Meeting } from './by-cm.js';
import { base64OfHex, hexOfBase64, hexOfText, textOfHex } from '../cm/private-data.js';
import { eventsUntil, stateOf, traceCalls, type Context } from './trace.js';

/** Twelve bytes at most. */
export const WHY = 'Server busy.';
const WAIT_MS = 10_000;

export interface Rejected {
  established: boolean;
  reason: number | null;
  reasonText: string;
  /** The private data of the rejection, as text. */
  text: string;
  state: QpState;
  events: string[];
  packets: PacketSummary[];
}

export async function tryRejected(
  ctx: Context,
  { listener, pd, cq }: Meeting,
  watch: PacketWatch,
): Promise<Rejected> {
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  await watch.take();
  ctx.calls('client');
  const { cm } = await client.call('cm.resolve', { address: listener.address, port: listener.port });
  const { qp } = await client.call('cm.createQp', {
    cm,
    pd,
    sendCq: cq,
    ...linkOption(client, ctx.params.link),
  });
  const connecting = client.call('cm.connect', { cm });
  const { request } = await server.call('cm.request', { cm: listener.cm, timeoutMs: WAIT_MS });
  if (request) await server.call('cm.reject', { cm: request.cm, privateData: base64OfHex(hexOfText(WHY)) });
  const { established, reason, privateData } = await connecting;
  const state = await stateOf(client, qp);
  traceCalls(ctx, 'rejected', 'client', 'setup, once', 'REJECTED');
  const events = await eventsUntil(client, 'REJECTED');
  const packets = await watch.take();
  await client.call('destroy', { what: 'qp', handle: qp });
  await client.call('destroy', { what: 'cm', handle: cm });
  if (request) await server.call('destroy', { what: 'cm', handle: request.cm });
  return {
    established,
    reason: reason ?? null,
    reasonText: reason === undefined ? 'none' : rejectReasonText(reason),
    text: textOfHex(hexOfBase64(privateData)),
    state,
    events,
    packets,
  };
}
