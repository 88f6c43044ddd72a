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
  await countByFetchAdd(ctx, clients, server);
  await countByWrite(ctx, clients, server);
  await countByCompareSwap(ctx, clients, server);
  await timeOne(ctx, clients[0]!, server);
  await tryRefused(ctx);
  ctx.draining();
  await closeAll(...clients);
  await server.scope.close();
  const wanted = clients.length * increments;
  ctx.answer(
    `${plural(clients.length, 'client')} added 1 to one counter, ${plural(increments, 'time')} each. With FETCH_ADD the counter reached ${formatCount(wanted)}. ` +
      `With READ and WRITE it reached ${formatCount(increments)}; the other increments were lost. CMP_SWAP reached ${formatCount(wanted)} again, with more requests.`,
  );
}
