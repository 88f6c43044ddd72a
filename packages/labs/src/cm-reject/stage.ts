/** Setup of an attempt, and one attempt to connect from resolving to the answer. */
import type { CmShown, EndpointHandle, LabContext, QpState } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { openCmClient, openCmServer, type CmClient, type CmServer } from '../cm/endpoints.js';
import { conversations, withoutReceipts, type CmMessage } from '../cm/conversation.js';
import { hexOfBase64, textOfHex } from '../cm/private-data.js';
import { PacketWatch } from '../wire/packet-watch.js';
import type { CmRejectParams } from './params.js';

export type Context = LabContext<CmRejectParams>;
type Service = 'TCP' | 'UDP';

const WAIT_MS = 10_000;
/** Timeout for a message that is sent once, ms. */
const ONCE_MS = 500;
const SIZE = 64;
const BEGINNING = ['ADDR_RESOLVED', 'ROUTE_RESOLVED', 'CONNECT_REQUEST'];

export interface Stage {
  ctx: Context;
  server: CmServer;
  client: CmClient;
  /** Listens for datagram services. */
  datagrams: { cm: number; port: number };
  watch: PacketWatch;
  /** Both ends have the same GID. */
  oneAddress: boolean;
}

export async function openStage(ctx: Context): Promise<Stage> {
  const [at, from] = [ctx.endpoint('server'), ctx.endpoint('client')];
  const nets = { server: await at.call('query', {}), client: await from.call('query', {}) };
  const server = await openCmServer(at, SIZE);
  const client = await openCmClient(from, server, SIZE);
  const datagrams = await at.call('cm.listen', { service: 'UDP' });
  const watch = new PacketWatch(from);
  const oneAddress = nets.client.gid === nets.server.gid;
  await watch.start(ctx, oneAddress, true);
  return { ctx, server, client, datagrams, watch, oneAddress };
}

/** Outcome of an attempt. */
export interface Answer {
  /** Event at the client, after the address was resolved. */
  event: string;
  status: number;
  /** Text of the answer; null: the API gives none. */
  text: string | null;
  state: QpState;
  /** Time from the request to the answer, ns; null: not captured. */
  tookNs: number | null;
  messages: CmMessage[];
  /**
   * The message that ended the attempt. On one address the client’s process may also have sent it instead of the
   * server’s.
   */
  answer: CmMessage | null;
  /** Events at the server, after the request. */
  serverEvents: CmShown[];
}

/** The first event that does not belong to the beginning; null: none came in time. */
async function nextEvent(endpoint: EndpointHandle, timeoutMs: number): Promise<CmShown | null> {
  for (;;) {
    const { events } = await endpoint.call('cm.events', { timeoutMs });
    const found = events.find(({ type }) => !BEGINNING.includes(type));
    if (found || events.length === 0) return found ?? null;
  }
}

/** Id of the next request. Throws AppError if none comes. */
export async function nextRequest({ server }: Stage, cm = server.listener.cm): Promise<number | null> {
  const { request } = await server.endpoint.call('cm.request', { cm, timeoutMs: WAIT_MS });
  return request?.cm ?? null;
}

/**
 * Connects with a new id and QP. `meanwhile` runs while the request is under way: what the server does with it.
 * `giveUp`: the client destroys QP and id then, so no answer is waited for.
 */
export async function connectAnd(
  stage: Stage,
  to: { service: Service; port: number; giveUp?: boolean },
  meanwhile: () => Promise<void>,
): Promise<Answer> {
  const { server, client, watch } = stage;
  const { service, port, giveUp = false } = to;
  await watch.take();
  for (const { endpoint } of [server, client]) await endpoint.call('cm.events', { timeoutMs: 0 });
  const { endpoint, queues } = client;
  const { cm } = await endpoint.call('cm.resolve', { service, address: server.listener.address, port });
  const { pd, cq } = queues;
  const { qp } = await endpoint.call('cm.createQp', { cm, pd, sendCq: cq });
  const connecting = attempt(endpoint, 'cm.connect', { cm });
  await meanwhile();
  let state: QpState = 'RESET';
  const destroy = async (): Promise<void> => {
    state = (await endpoint.call('queryQp', { qp })).state;
    await endpoint.call('destroy', { what: 'qp', handle: qp });
    await endpoint.call('destroy', { what: 'cm', handle: cm });
  };
  if (giveUp) await destroy();
  const answer = await connecting;
  const event = giveUp ? null : await nextEvent(endpoint, WAIT_MS);
  if (!giveUp) await destroy();
  const atServer = giveUp ? await nextEvent(server.endpoint, ONCE_MS) : null;
  const [conversation] = conversations(await watch.take());
  const messages = conversation ? withoutReceipts(conversation) : [];
  const first = messages[0];
  const second = messages.slice(1).find(({ direction }) => direction === (giveUp ? 'sent' : 'received'));
  return {
    event: event?.type ?? 'none',
    status: event?.status ?? 0,
    text:
      answer.ok && !answer.result.established
        ? textOfHex(hexOfBase64(answer.result.privateData)).replaceAll('\0', '')
        : null,
    state,
    tookNs: first && second ? second.t - first.t : null,
    answer: second ?? null,
    messages,
    serverEvents: atServer ? [atServer] : [],
  };
}
