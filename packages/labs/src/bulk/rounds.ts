/** The rounds of a run: the pairs of loops that run, their order, and the place of each in the run's time. */
import { transportLongName, type LabContext } from '@verbslab/protocol';
import type { Counters } from './checks.js';
import type { Connection } from './connection.js';
import { ROLES } from '../load/cpu-seconds.js';
import type { Measured } from '../load/both-ends.js';
import { measure, type Pair, type Span } from './measure.js';
import type { BulkParams } from './params.js';
import { roundSeconds, TRANSPORTS_OF, type BulkTransport } from './plan.js';
import { hostOf } from '../load/ways.js';
import { rdmaInitiator, rdmaTarget, tcpInitiator, tcpTarget } from './transports.js';

type Context = LabContext<BulkParams>;

/** The rounds of each transport that ran. */
export type Outcome = Partial<Record<BulkTransport, Measured[]>>;

/** Connected queue pairs, for each link that is measured. */
export type Connections = Partial<Record<'rdma' | 'shm', Connection>>;

/** The transports take turns, so that changes on the machine meanwhile affect all of them. */
export async function measureAll(
  ctx: Context,
  connections: Connections,
  counters: boolean,
): Promise<Outcome> {
  const { transport, repeat, omit } = ctx.params;
  const running = TRANSPORTS_OF[transport].filter((each) => each === 'tcp' || connections[each]);
  const withTcp = running.includes('tcp');
  const host = withTcp ? await hostOf(ctx) : '';
  const together = transport === 'both-at-once';
  const turns = repeat * (together ? 1 : running.length);
  const whole = roundSeconds(ctx.params) + omit;
  let turn = 0;
  const span = (shown: boolean): Span => {
    const share = (at: number): number => MEASURE_FROM + ((MEASURE_TO - MEASURE_FROM) * at) / turns;
    return { from: share(turn), to: share(turn + 1), after: (turns - turn - 1) * whole, shown };
  };
  const outcome: Outcome = Object.fromEntries(running.map((each) => [each, []]));
  for (let round = 1; round <= repeat; round++) {
    const pairs = running.flatMap((each) => pairOf(ctx, each, connections, host, round, counters));
    const turnsOf = together ? [pairs] : pairs.map((pair) => [pair]);
    for (const pairsAtOnce of turnsOf) {
      await Promise.all(
        pairsAtOnce.map(async (pair, i) => {
          const measured = await measure(ctx, pair, span(i === 0));
          outcome[pair.transport]?.push(measured);
        }),
      );
      turn++;
    }
  }
  return outcome;
}

function pairOf(
  ctx: Context,
  transport: BulkTransport,
  connections: Connections,
  host: string,
  round: number,
  counters: boolean,
): Pair[] {
  if (transport === 'tcp') return [tcpPair(ctx, host, round)];
  const connection = connections[transport];
  return connection ? [rdmaPair(ctx, transport, connection, round, counters)] : [];
}

/** Share of the run's progress that is measuring. */
const MEASURE_FROM = 0.02;
const MEASURE_TO = 0.92;

function rdmaPair(
  ctx: Context,
  transport: 'rdma' | 'shm',
  connection: Connection,
  round: number,
  counters: boolean,
): Pair {
  const { params } = ctx;
  const name = transportLongName(transport, connection.link);
  const sources = bothSources(ctx, transport, name, round);
  return {
    transport,
    name,
    round,
    server: rdmaTarget(params, connection, sources.server),
    client: () => rdmaInitiator(params, connection, sources.client),
    ...(counters ? { sample: () => readCounters(ctx, 'sample') } : {}),
  };
}

function tcpPair(ctx: Context, host: string, round: number): Pair {
  const { params } = ctx;
  const sources = bothSources(ctx, 'tcp', transportLongName('tcp', null), round);
  return {
    transport: 'tcp',
    name: transportLongName('tcp', null),
    round,
    server: tcpTarget(params, host, sources.server),
    client: (port) => tcpInitiator(params, host, port, sources.client),
  };
}

function bothSources(
  ctx: Context,
  transport: BulkTransport,
  name: string,
  round: number,
): { client: number; server: number } {
  const suffix = ctx.params.repeat > 1 ? `, round ${round}` : '';
  const one = (role: 'client' | 'server'): number =>
    ctx.source(role, {
      transport,
      role,
      what: 'loop',
      label: `${name} at the ${role}${suffix}`,
      round,
    });
  return { client: one('client'), server: one('server') };
}

export async function readCounters(ctx: Context, when: 'before' | 'sample' | 'after'): Promise<Counters[]> {
  return Promise.all(ROLES.map(async (role) => (await ctx.endpoint(role).call('counters', { when })).values));
}
