import { AppError, CLIENT_MESSAGES, type ClientType } from '@verbslab/protocol';

/**
 * Who speaks on a connection. It follows from the secret that opened the connection, never from what the client says:
 *  - `owner`: a program that sent the token;
 *  - `page`: a browser with a session;
 *  - `peer`: an agent that sent the secret of a join string.
 */
export type Role = 'owner' | 'page' | 'peer';

/** All that a paired agent needs. Everything else on this agent is its owner's. */
const PEER_REQUESTS: ReadonlySet<ClientType> = new Set<ClientType>([
  'hello',
  'ping',
  'clock',
  'devices.list',
  'run.ack',
  'endpoint.open',
  'endpoint.call',
  'endpoint.close',
]);

/** Throws NOT_FOR_PEERS for a message that only the owner may send, before anything else of it is read. */
export function refuseOwners(message: unknown): void {
  const type = (message as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(CLIENT_MESSAGES, type)) return;
  if (!PEER_REQUESTS.has(type as ClientType)) throw new AppError('NOT_FOR_PEERS', { type });
}
