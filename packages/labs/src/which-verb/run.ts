import { PacketWatch } from '../wire/packet-watch.js';
import { sweep } from '../base/sweep.js';
import { tellCannot, CANNOT } from './cannot.js';
import { countAll } from './count.js';
import { jobTitle, titleOf } from './jobs.js';
import { measure } from './measure.js';
import { NO_ATOMICS, observeAll } from './observe.js';
import type { Play } from './play.js';
import { MESSAGE_PLAYS } from './plays-messages.js';
import { SHARED_PLAYS } from './plays-shared.js';
import { loseUpdates, readStale } from './races.js';
import { tryRefused } from './refused.js';
import { doneOf, tellFigures, tellMatrix, tellRows } from './report.js';
import type { Context } from './stage.js';

export const PLAYS: readonly Play[] = [...MESSAGE_PLAYS, ...SHARED_PLAYS];

async function hasAtomics(ctx: Context): Promise<boolean> {
  const { device } = await ctx.endpoint('server').call('attributes', {});
  return device.atomic_cap !== 'none';
}

export async function runWhichVerb(ctx: Context): Promise<void> {
  const atomics = await hasAtomics(ctx);
  if (!atomics) ctx.note(`${NO_ATOMICS} FETCH_ADD was left out.`);
  const plays = PLAYS.filter(({ verb }) => atomics || verb !== 'atomic');
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const { gid } = await client.call('query', {});
  const watch = new PacketWatch(client);
  await watch.start(ctx, gid === (await server.call('query', {})).gid);

  const seen = await observeAll(ctx, atomics);
  const refusals = await tryRefused(ctx, atomics);
  const [lost, stale] = [await loseUpdates(ctx), await readStale(ctx)];
  tellCannot(ctx, { seen, refusals, lost, stale });
  const counted = await countAll(ctx, plays, watch);
  // A tap costs time, so nothing is timed with it.
  await watch.stop();

  const measured = await sweep(
    ctx,
    plays,
    ctx.params.repeat,
    ({ job, verb }) => `${jobTitle(job)}, ${titleOf(verb)}`,
    (play) => measure(ctx, play),
  );
  ctx.draining();
  const all = plays.map((play, i) => doneOf(play, counted[i]!, measured[i]!));
  const fastest = tellMatrix(ctx, all);
  tellRows(ctx, all);
  tellFigures(ctx, all);
  ctx.answer(
    `${all.filter(({ right }) => right).length} of ${all.length + CANNOT.length} combinations of job and verb worked. ${fastest}`,
  );
}
