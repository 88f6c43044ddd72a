/** The link of a queue pair as a parameter: through the kernel's sockets, or shared memory around it. */
import {
  AppError,
  CAPABILITY_TEXT,
  type EndpointHandle,
  type LabContext,
  type Link,
} from '@verbslab/protocol';
import { z } from 'zod';

export const linkParam = z
  .enum(['auto', 'udp', 'shm'])
  .default('auto')
  .meta({
    title: 'Link',
    choiceNeeds: { shm: ['link'] },
    description:
      'What carries the packets of each queue pair: UDP sockets through the kernel (udp), or shared memory between processes of one host, which bypasses the kernel (shm). Auto uses shared memory if both ends can. Devices other than the embedded one have only one link. On one host, choose udp to watch the packets with tcpdump -i lo.',
  });
export type LinkParam = z.output<typeof linkParam>;

export const SHM_NEEDS =
  'Shared memory needs both ends on one host, run by one user, each on the embedded device (and not with UROCE_LINK=udp).';

/** Option of `createQp` for this link at this endpoint. */
export const linkOption = (endpoint: EndpointHandle, link: LinkParam): { link?: 'udp' | 'auto' } =>
  endpoint.has('link') ? { link: link === 'udp' ? 'udp' : 'auto' } : {};

/**
 * The link that two connected queue pairs have settled on, and an event that says so; null on devices that have one link
 * only. Throws AppError MISSING_CAPABILITY where it had to be shared memory and is not.
 */
export async function settleLink(
  ctx: LabContext<unknown>,
  wanted: LinkParam,
  ends: readonly { endpoint: EndpointHandle; qp: { qp: number } }[],
): Promise<Link | null> {
  const settled = await Promise.all(
    ends.map(async ({ endpoint, qp }) =>
      endpoint.has('link') ? (await endpoint.call('qpLink', { qp: qp.qp })).link : null,
    ),
  );
  if (wanted === 'shm')
    ends.forEach(({ endpoint }, i) => {
      if (settled[i] !== 'shm') throw withoutShm(endpoint, settled[i] ?? null);
    });
  const links = new Set(settled);
  for (const link of links)
    if (link) ctx.emit({ kind: 'link', link, transport: link === 'shm' ? 'shm' : 'rdma' });
  return settled[0] ?? null;
}

function withoutShm({ name, device }: EndpointHandle, link: Link | null): AppError {
  const reason = link
    ? `The queue pair at the ${name} sends through UDP sockets.`
    : `${device.name} at the ${name} does not offer ${CAPABILITY_TEXT.link}.`;
  return AppError.from({ code: 'MISSING_CAPABILITY', message: reason, cure: SHM_NEEDS });
}
