import { closeAll } from '../endpoints/scope.js';
import type { LabContext } from '@verbslab/protocol';
import { formatCount, plural } from '../base/format.js';
import { type Side } from '../endpoints/side.js';
import { countByCompareSwap, countByFetchAdd, countByWrite } from './counting.js';
import { join, openServer } from './endpoints.js';
import type { AtomicsParams } from './params.js';
import { tryRefused } from './refused.js';
import { timeOne } from './times.js';

export async function runAtomics(ctx: LabContext<AtomicsParams>): Promise<void> {
  const { increments } = ctx.params;
  const server = await openServer(ctx, ['LOCAL_WRITE', 'REMOTE_READ', 'REMOTE_WRITE', 'REMOTE_ATOMIC']);
  const clients: Side[] = [];
  for (const { name } of ctx.endpoints('client')) clients.push(await join(ctx, name, server, increments));
  const added = await countByFetchAdd(ctx, clients, server);
  const written = await countByWrite(ctx, clients, server);
  const swapped = await countByCompareSwap(ctx, clients, server);
  await timeOne(ctx, clients[0]!, server);
  await tryRefused(ctx);
  ctx.draining();
  await closeAll(...clients);
  await server.scope.close();
  const wanted = clients.length * increments;
  ctx.answer(
    `${plural(clients.length, 'client')} added 1 to one counter, ${plural(increments, 'time')} each. With FETCH_ADD the counter reached ${formatCount(added)}. ` +
      `With READ and WRITE it reached ${formatCount(written)}, so ${plural(wanted - written, 'increment')} of ${formatCount(wanted)} were lost. With ${plural(swapped.swaps, 'CMP_SWAP')} it reached ${formatCount(swapped.counter)}.`,
  );
}
