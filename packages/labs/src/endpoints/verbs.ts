/** Small helpers over endpoint commands that several labs share. */
import {
  callFailed,
  completionFailed,
  type EndpointHandle,
  type Wc,
  type EndpointResult,
  type EndpointSendWr,
} from '@verbslab/protocol';

const COMPLETION_TIMEOUT_MS = 10_000;

/** Connection data that one side of a QP sends to the other; `connectQp` takes the same. */
export type QpInfo = EndpointResult<'createQp'>['info'];

/** Waits for `count` completions, all of which must have succeeded. Throws AppError. */
export async function completions(
  endpoint: EndpointHandle,
  cq: number,
  count: number,
  opcode: string,
): Promise<Wc[]> {
  const { completions: found } = await endpoint.call('waitCq', {
    cq,
    count,
    timeoutMs: COMPLETION_TIMEOUT_MS,
  });
  const failed = found.find(({ status }) => status !== 0);
  if (failed) throw completionFailed(opcode, failed.status);
  if (found.length < count)
    throw callFailed(
      'SYSTEM',
      `Waiting for the completion of the ${opcode}`,
      'ETIMEDOUT',
      'Look at the packets of this step: is there a request, and an answer?',
    );
  return found;
}

/**
 * Posts one request and waits until it has succeeded. Resolves to the time from the post to the completion, ns. Throws
 * AppError, which calls the request by its name: `what` is longer than `name` where that says more.
 */
export async function complete(
  { endpoint, qp, cq }: { endpoint: EndpointHandle; qp: { qp: number }; cq: number },
  wr: EndpointSendWr,
  {
    name = wr.opcode,
    what = name,
    cure = 'Look at the packets.',
    timeoutMs = COMPLETION_TIMEOUT_MS,
  }: { name?: string; what?: string; cure?: string; timeoutMs?: number } = {},
): Promise<number> {
  const { completions: found, elapsedNs } = await endpoint.call('postAndWait', {
    ...{ qp: qp.qp, cq, wr, timeoutMs },
  });
  const [wc] = found;
  if (!wc) throw callFailed('SYSTEM', `Waiting for the ${what}`, 'ETIMEDOUT', cure);
  if (wc.status !== 0) throw completionFailed(name, wc.status);
  return elapsedNs;
}

/** {addr u64, rkey u32}, big-endian, as hex: the twelve bytes that programs send as private data. */
export function memoryRecord(addr: string, rkey: number): string {
  return BigInt(addr).toString(16).padStart(16, '0') + rkey.toString(16).padStart(8, '0');
}

/** The address that a GID stands for: an IPv4 address mapped into IPv6, or an IPv6 address. */
export function addressOfGid(gid: string): string {
  return gid.startsWith('::ffff:') && gid.includes('.') ? gid.slice('::ffff:'.length) : gid;
}
