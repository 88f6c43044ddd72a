import { closeAll } from '../endpoints/scope.js';
import { formatBytes, plural } from '../base/format.js';
import { type Side } from '../endpoints/side.js';
import { runDry, runLow } from './dry.js';
import { join, openServer, type Context } from './endpoints.js';
import { shareUnevenly, tellMemory } from './share.js';

export async function runSrq(ctx: Context): Promise<void> {
  const { clients: count, recvs, size } = ctx.params;
  const server = await openServer(ctx);
  const clients: Side[] = [];
  for (const { name } of ctx.endpoints('client')) clients.push(await join(ctx, name, server));
  tellMemory(ctx);
  await shareUnevenly(ctx, clients, server);
  await runLow(ctx, clients[0]!, server);
  await runDry(ctx, [clients[0]!, clients.at(-1)!], server);
  ctx.draining();
  await closeAll(...clients);
  await server.scope.close();
  ctx.answer(
    `${plural(count, 'client')} shared ${plural(recvs, 'RECV')}: ${formatBytes(recvs * size)} of buffers instead of ${formatBytes(count * recvs * size)}. ` +
      'Any client may take any of them, and one that takes all makes the others wait.',
  );
}
