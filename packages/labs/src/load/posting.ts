/** Posting by hand, request by request, where a lab looks at what the queue accepts. */
import { AppError, type EndpointHandle, type EndpointSendWr } from '@verbslab/protocol';
import type { Pair } from './pair.js';

/**
 * 4.096 µs × 2^16: 0.27 s until the client retransmits without an ACK; it tries 7 times. For pairs whose ACKs are held.
 */
export const HELD_ACK_TIMEOUT = 16;

/** Stops or resumes the ACKs of the server’s device. Nothing changes without fault injection. */
export async function holdAcks({ server }: Pair, hold: boolean): Promise<void> {
  if (server.endpoint.has('faults')) await server.endpoint.call('faults', { rates: { drop: hold ? 1 : 0 } });
}

/** Posts a request. Returns false where the send queue was full (ENOMEM); throws other errors. */
export async function tryPost({ client }: Pair, wr: EndpointSendWr): Promise<boolean> {
  try {
    await client.endpoint.call('postSend', { qp: client.qp.qp, wr });
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOMEM')) return false;
    throw error;
  }
}

/** True if a verbs call failed with this error. */
export const isErrno = (error: unknown, name: string): boolean =>
  error instanceof AppError && error.code === 'VERBS' && new RegExp(`\\b${name}\\b`).test(error.message);

/** A WRITE of slot `index`, `size` bytes long, to the same place at the server. */
export function writeOf(pair: Pair, index: number, size: number, signaled: boolean): EndpointSendWr {
  const { client, server } = pair;
  const offset = index * size;
  return {
    wrId: index,
    opcode: 'RDMA_WRITE',
    local: [{ mr: client.mr.mr, offset, length: size }],
    remote: { addr: `0x${(BigInt(server.mr.addr) + BigInt(offset)).toString(16)}`, rkey: server.mr.rkey },
    signaled,
  };
}

/** Time for data to arrive that no completion announces, ms. */
const ARRIVAL_MS = 5000;

interface Place {
  endpoint: EndpointHandle;
  mr: { mr: number };
}

/** True if the first `length` bytes of both ends become equal in time. Reads the server’s memory repeatedly. */
export async function sameBytes(
  { client, server }: { client: Place; server: Place },
  length: number,
  now: () => number,
): Promise<boolean> {
  const hash = async ({ endpoint, mr }: Place): Promise<string> =>
    (await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length })).sha256;
  const wanted = await hash(client);
  const deadline = now() + ARRIVAL_MS * 1e6;
  do {
    if ((await hash(server)) === wanted) return true;
  } while (now() < deadline);
  return false;
}
