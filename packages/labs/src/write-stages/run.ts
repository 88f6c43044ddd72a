import type { LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { closePair, connectPair } from '../load/pair.js';
import { hashOf } from '../endpoints/side.js';
import type { WriteStagesParams } from './params.js';
import { report } from './report.js';
import { trace } from './trace.js';

const SEED = 20_261_128;
const DEPTH = 16;

export async function runWriteStages(ctx: LabContext<WriteStagesParams>): Promise<void> {
  const { size, inline, wait, link } = ctx.params;
  const pair = await connectPair(ctx, {
    ...{ link, maxInlineData: inline },
    memory: size,
    sendDepth: DEPTH,
    events: wait === 'event',
  });
  const { client, server } = pair;
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: SEED });
  const traced = await trace(ctx, pair);
  ctx.draining();
  const same = (await hashOf(client, 0, size)) === (await hashOf(server, 0, size));
  ctx.check(
    'data',
    same,
    same
      ? `The server’s memory holds the ${plural(size, 'byte')} of the client.`
      : 'The server’s memory differs from the client’s.',
  );
  await closePair(pair);
  report(ctx, traced, (client.endpoint.clockErrorNs ?? 0) + (server.endpoint.clockErrorNs ?? 0));
}
