import type { LabContext } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { openSide } from '../endpoints/side.js';
import { timeoutNs, tryRdAtomic, tryRnrTimer, tryTimeout } from './constants.js';
import { useAndBreak } from './end.js';
import type { QpStatesParams } from './params.js';
import { checkWalk, walk } from './walk.js';

const LENGTH = 4096;

export async function runQpStates(ctx: LabContext<QpStatesParams>): Promise<void> {
  const { link, timeout, minRnrTimer } = ctx.params;
  const options = { length: LENGTH, access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'] as const, link };
  const client = await openSide(ctx.endpoint('client'), { ...options, access: [...options.access] });
  const server = await openSide(ctx.endpoint('server'), { ...options, access: [...options.access] });

  const watch = new PacketWatch(client.endpoint);
  await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);

  const found = await walk(ctx, client, server);
  checkWalk(ctx, found);
  ctx.outcome('skip', found.wrong.some((what) => what.startsWith('Straight')) ? 'allowed' : 'refused');
  await useAndBreak(ctx, client, server);

  await tryTimeout(ctx);
  const waited = await tryRnrTimer(ctx);
  await tryRdAtomic(ctx);
  await watch.take();
  ctx.draining();
  await watch.stop();
  const wait = timeoutNs(timeout);
  ctx.answer(
    `The QP went through ${found.states.join(', ')}. ${found.refused} of ${found.mistakes} mistakes on the way were refused. ` +
      `timeout ${timeout} ${wait === null ? 'sets no limit to the wait for an ACK' : `waits at least ${formatNumber(wait / 1e6)} ms`}` +
      (waited === null
        ? '.'
        : `; with min_rnr_timer ${minRnrTimer}, a SEND that came before its RECV took ${formatNumber(waited)} ms.`),
  );
}
