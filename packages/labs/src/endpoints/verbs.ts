/** Small helpers over endpoint commands that several labs share. */
import {
  callFailed,
  completionFailed,
  type EndpointHandle,
  type Wc,
  type EndpointResult,
} from '@verbslab/protocol';

const COMPLETION_TIMEOUT_MS = 10_000;

/** What one side of a QP sends to the other; `connectQp` wants the same. */
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

/** {addr u64, rkey u32}, big-endian, as hex: the twelve bytes that programs send as private data. */
export function memoryRecord(addr: string, rkey: number): string {
  return BigInt(addr).toString(16).padStart(16, '0') + rkey.toString(16).padStart(8, '0');
}

/** The address that a GID stands for: an IPv4 address mapped into IPv6, or an IPv6 address. */
export function addressOfGid(gid: string): string {
  return gid.startsWith('::ffff:') && gid.includes('.') ? gid.slice('::ffff:'.length) : gid;
}
