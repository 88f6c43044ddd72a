import type { LabContext } from '@verbslab/protocol';
import { formatBytes, formatCount } from '../base/format.js';
import { countCalls, deviceSwitches, type Counted } from '../load/calls.js';
import { closePair } from '../load/pair.js';
import { fillPing, pingArrived, pingPong, type PingPath, type PingPong } from '../load/ping.js';
import { sameBytes } from '../load/posting.js';
import { sweep } from '../base/sweep.js';
import { transfer } from '../load/transfer.js';
import { waysOf, type Way } from '../load/ways.js';
import { MESSAGES_A_TRIP, type Round } from './costs.js';
import type { CopiesAndCallsParams } from './params.js';
import { report, type Measured } from './report.js';

type Context = LabContext<CopiesAndCallsParams>;

const SEED = 20_261_127;

interface Checked extends Round {
  /** Each end held what the other had sent last; null for sockets. */
  arrived: boolean | null;
}

export async function runCopiesAndCalls(ctx: Context): Promise<void> {
  const { size, large, repeat } = ctx.params;
  const [messages, counted] = [even(ctx.params.messages), even(ctx.params.counted)];
  const ways = await waysOf(ctx, large);
  const settings = ways.flatMap((way) => [size, large].map((bytes) => ({ way, bytes })));
  const rounds = await sweep(
    ctx,
    settings,
    repeat,
    ({ way, bytes }) => `${way.title}, ${formatBytes(bytes)}`,
    ({ way, bytes }) => measure(ctx, way, bytes, messages),
  );
  check(ctx, settings, rounds);
  const measured: Measured[] = [];
  for (const [i, way] of ways.entries()) {
    const last = measured.at(-1)?.calls;
    // A kernel that refuses once does so again.
    const refused = last && 'refused' in last ? last : null;
    const calls: Counted =
      refused ??
      (await countCalls(ctx, counted, (count) => onPath(way, (path) => carry(ctx, path, size, count))));
    measured.push({ way, small: rounds[2 * i]!, large: rounds[2 * i + 1]!, calls });
  }
  report(ctx, measured);
}

/** Rounds up to an even number: as many messages there as back. */
const even = (messages: number): number => messages + (messages % MESSAGES_A_TRIP);

/** Opens the way, and closes its pair after `body`. */
async function onPath<T>(way: Way, body: (path: PingPath) => Promise<T>): Promise<T> {
  const path = await way.open();
  const result = await body(path);
  if (path.transport === 'rdma') await closePair(path.pair);
  return result;
}

/** Messages there and back in turns; WRITEs go one way, one at a time, since the server’s program has nothing to do. */
function carry(ctx: Context, path: PingPath, size: number, messages: number): Promise<PingPong> {
  const ends = { client: ctx.endpoint('client'), server: ctx.endpoint('server') };
  const { wait } = ctx.params;
  if (path.transport !== 'rdma' || path.op !== 'write')
    return pingPong(ends, path, { size, iterations: messages / MESSAGES_A_TRIP, wait });
  return transfer(
    ends,
    { transport: 'rdma', pair: path.pair },
    { size, messages, memory: size, wait, txDepth: 1, cqMod: 1 },
  );
}

const measure = (ctx: Context, way: Way, size: number, messages: number): Promise<Checked> =>
  onPath(way, async (path) => {
    const pair = path.transport === 'rdma' ? path.pair : null;
    if (pair) await fillPing(pair, size, SEED);
    const before = await deviceSwitches(ctx);
    const both = await carry(ctx, path, size, messages);
    const switches = (await deviceSwitches(ctx)) - before;
    return { ...both, messages, deviceSwitches: switches, arrived: await arrivedAt(ctx, path, size) };
  });

async function arrivedAt(ctx: Context, path: PingPath, size: number): Promise<boolean | null> {
  if (path.transport !== 'rdma') return null;
  return path.op === 'write' ? sameBytes(path.pair, size, () => ctx.now()) : pingArrived(path.pair, size);
}

function check(
  ctx: Context,
  settings: readonly { way: Way; bytes: number }[],
  all: readonly Checked[][],
): void {
  const messages = even(ctx.params.messages);
  const faults = settings.flatMap(({ way, bytes }, i) =>
    all[i]!.flatMap(({ client, server, arrived }) => {
      const what = `${way.title}, ${formatBytes(bytes)}:`;
      const oneWay = way.id.startsWith('write');
      const wanted = oneWay ? messages : messages / MESSAGES_A_TRIP;
      if (client.messages !== wanted || (!oneWay && server.messages < wanted))
        return [`${what} ${formatCount(client.messages)} of ${formatCount(wanted)}.`];
      return arrived === false ? [`${what} an end does not hold what the other sent.`] : [];
    }),
  );
  ctx.check(
    'same',
    faults.length === 0,
    faults.length === 0
      ? `Each transport carried ${formatCount(messages)} messages in every round, and both ends held what RDMA had sent them.`
      : faults.join(' '),
  );
}
