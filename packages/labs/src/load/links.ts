/** Both links of RDMA as a parameter of labs that compare them. */
import { AppError, type LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { SHM_NEEDS } from '../endpoints/link.js';
import { closePair, connectPair } from './pair.js';

export const linksParam = z
  .enum(['both', 'udp', 'shm'])
  .default('both')
  .meta({
    title: 'Links of RDMA',
    choiceNeeds: { shm: ['link'] },
    description:
      'Both measures RDMA through UDP sockets (udp) and through shared memory (shm), where both ends are on one host. Devices other than the embedded one have a link of their own.',
  });
export type Links = z.output<typeof linksParam>;

type Context = LabContext<{ links: Links }>;

/**
 * True if RDMA through shared memory is to be measured. A note gives the reason where it cannot be. Throws AppError
 * MISSING_CAPABILITY where nothing else was asked for.
 */
export async function hasShm(ctx: Context): Promise<boolean> {
  if (ctx.params.links === 'udp') return false;
  const lacking = [ctx.endpoint('client'), ctx.endpoint('server')].find((end) => !end.has('link'));
  if (lacking) return without(ctx, `${lacking.device.name} at the ${lacking.name} has one link only.`);
  const pair = await connectPair(ctx, { link: 'auto', memory: 4096, sendDepth: 1 });
  await closePair(pair);
  return pair.link === 'shm' || without(ctx, 'The queue pairs send through UDP sockets.');
}

function without(ctx: Context, reason: string): false {
  if (ctx.params.links === 'shm')
    throw AppError.from({ code: 'MISSING_CAPABILITY', message: reason, cure: SHM_NEEDS });
  ctx.note(`Shared memory was left out. ${reason} ${SHM_NEEDS}`);
  return false;
}
