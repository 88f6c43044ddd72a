/** Queue pairs whose packets go through shared memory, around the kernel, or the reason why there are none. */
import { AppError, CAPABILITY_TEXT, type LabContext } from '@verbslab/protocol';
import { SHM_NEEDS } from '../endpoints/link.js';
import { closeAll } from '../endpoints/scope.js';
import { connect, linkOf, type Connection } from './connection.js';
import type { BulkParams } from './params.js';
import { TRANSPORTS_OF } from './plan.js';

/** Null where the ends cannot share memory: a note says why, or an error where no other RDMA was asked for. */
export async function connectAroundKernel(ctx: LabContext<BulkParams>): Promise<Connection | null> {
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const lacking = ends.find((end) => !end.has('link'));
  if (lacking) {
    return refuse(
      ctx,
      `${lacking.device.name} at the ${lacking.name} does not offer ${CAPABILITY_TEXT.link}.`,
    );
  }
  const connection = await connect(ctx, 'auto');
  for (const side of [connection.client, connection.server]) {
    if ((await linkOf(side)) === 'shm') continue;
    await closeAll(connection.client, connection.server);
    return refuse(ctx, `The queue pair at the ${side.endpoint.name} sends through UDP sockets.`);
  }
  return connection;
}

function refuse(ctx: LabContext<BulkParams>, reason: string): null {
  if (!TRANSPORTS_OF[ctx.params.transport].includes('rdma'))
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: `${reason} RDMA over shared memory cannot run.`,
      cure: SHM_NEEDS,
    });
  ctx.note(`RDMA over shared memory was left out. ${reason} ${SHM_NEEDS}`);
  return null;
}
