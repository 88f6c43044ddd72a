import type { EndpointResult, LabContext, Link } from '@verbslab/protocol';
import { cpuAddsUp } from '../load/cpu-seconds.js';
import { formatCount, formatNumber } from '../base/format.js';
import { countCalls, deviceSwitches, type Counted } from '../load/calls.js';
import { hasShm } from '../load/links.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { sameBytes } from '../load/posting.js';
import { sweep } from '../base/sweep.js';
import { transfer, type Route } from '../load/transfer.js';
import { hostOf } from '../load/ways.js';
import { joulesBetween, type Round } from './costs.js';
import type { GigabyteParams } from './params.js';
import { report, TITLES, type Cost, type RouteId } from './report.js';

type Context = LabContext<GigabyteParams>;

const MEMORY = 4 * 1024 * 1024;
const TX_DEPTH = 64;
const CQ_MOD = 16;
const SEED = 20_261_126;

interface Open {
  id: RouteId;
  route: Route;
}

export async function runGigabyte(ctx: Context): Promise<void> {
  const { megabytes, size, repeat, counted } = ctx.params;
  const messages = Math.ceil((megabytes * 1e6) / size);
  const routes = await openRoutes(ctx);
  const rounds = await sweep(
    ctx,
    routes,
    repeat,
    ({ id }) => TITLES[id],
    ({ route }) => measure(ctx, route, messages),
  );
  const calls: Counted[] = [];
  for (const { route } of routes) {
    const last = calls.at(-1);
    // A kernel that refuses once does so again.
    const refused = last && 'refused' in last ? last : null;
    calls.push(
      refused ?? (await countCalls(ctx, Math.min(counted, messages), (count) => move(ctx, route, count))),
    );
  }
  await check(ctx, routes, rounds, messages);
  for (const { route } of routes) if (route.transport === 'rdma') await closePair(route.pair);
  report(
    ctx,
    routes.map(({ id }, i): Cost => ({ id, rounds: rounds[i]!, calls: calls[i]! })),
    await energyRefused(ctx),
  );
}

async function openRoutes(ctx: Context): Promise<Open[]> {
  const routes: Open[] = [{ id: 'tcp', route: { transport: 'tcp', host: await hostOf(ctx) } }];
  const add = async (id: RouteId, link: 'udp' | 'auto'): Promise<void> => {
    routes.push({ id, route: { transport: 'rdma', pair: await open(ctx, link) } });
  };
  if (ctx.params.links !== 'shm') await add('rdma', 'udp');
  if (await hasShm(ctx)) await add('shm', 'auto');
  return routes;
}

async function open(ctx: Context, link: Link | 'auto'): Promise<Pair> {
  const pair = await connectPair(ctx, {
    link,
    memory: Math.max(MEMORY, ctx.params.size),
    sendDepth: TX_DEPTH,
    events: ctx.params.wait === 'event',
  });
  const { endpoint, mr } = pair.client;
  await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: mr.length, seed: SEED });
  return pair;
}

const endsOf = (ctx: Context) => ({ client: ctx.endpoint('client'), server: ctx.endpoint('server') });

const move = (ctx: Context, route: Route, messages: number) =>
  transfer(endsOf(ctx), route, {
    size: ctx.params.size,
    messages,
    memory: Math.max(MEMORY, ctx.params.size),
    wait: ctx.params.wait,
    txDepth: TX_DEPTH,
    cqMod: CQ_MOD,
  });

async function measure(ctx: Context, route: Route, messages: number): Promise<Round> {
  const energy = async (): Promise<EndpointResult<'energy'>[]> => {
    const { client, server } = endsOf(ctx);
    return [await client.call('energy', {}), await server.call('energy', {})];
  };
  const [switches, joules] = [await deviceSwitches(ctx), await energy()];
  const moved = await move(ctx, route, messages);
  return {
    ...moved,
    joules: joulesBetween(joules, await energy()),
    deviceSwitches: (await deviceSwitches(ctx)) - switches,
  };
}

async function energyRefused(ctx: Context): Promise<string | null> {
  for (const end of Object.values(endsOf(ctx))) {
    const { refused } = await end.call('energy', {});
    if (refused !== null) return `At the ${end.name}: ${refused}`;
  }
  return null;
}

async function check(
  ctx: Context,
  routes: readonly Open[],
  all: readonly Round[][],
  messages: number,
): Promise<void> {
  const volume = messages * ctx.params.size;
  const faults: string[] = [];
  for (const [i, { id, route }] of routes.entries()) {
    for (const { client, server } of all[i]!) {
      if (client.messages !== messages || client.bytes !== volume)
        faults.push(`${TITLES[id]} moved ${formatCount(client.bytes)} of ${formatCount(volume)} bytes.`);
      if (route.transport === 'tcp' && server.whole?.receivedBytes !== volume)
        faults.push(`The server read ${formatCount(server.whole?.receivedBytes ?? 0)} bytes from TCP.`);
    }
    if (route.transport === 'rdma') {
      const walked = Math.min(volume, route.pair.client.mr.length);
      if (!(await sameBytes(route.pair, Math.floor(walked / 64) * 64, () => ctx.now())))
        faults.push(`${TITLES[id]}: the server’s memory does not hold what the client wrote.`);
    }
  }
  ctx.check(
    'moved',
    faults.length === 0,
    faults.length === 0
      ? `Each transfer moved ${formatNumber(volume)} bytes in ${formatCount(messages)} messages, and they arrived.`
      : faults.join(' '),
  );
  const { ok, detail } = cpuAddsUp(all);
  ctx.check('cpu', ok, detail);
}
