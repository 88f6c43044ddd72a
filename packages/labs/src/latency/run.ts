import { AppError, type LabContext } from '@verbslab/protocol';
import { formatCount, formatNumber, plural } from '../base/format.js';
import { closePair } from '../load/pair.js';
import { fillPing, pingArrived, pingPong, type PingPong } from '../load/ping.js';
import { sweep } from '../base/sweep.js';
import { waitOf, waysOf, type Way } from '../load/ways.js';
import { measuredAgain, tooBusy } from '../endpoints/too-busy.js';
import { distributionOf, misfit, rises } from '../load/distribution.js';
import type { LatencyParams } from './params.js';
import { report, type Measured } from './report.js';

type Context = LabContext<LatencyParams>;

const WARM_UP_MS = 50;
const SEED = 20_261_125;

interface Round extends PingPong {
  /** Each end held what the other had sent last; null for sockets, where the loop compares or counts. */
  arrived: boolean | null;
}

export async function runLatency(ctx: Context): Promise<void> {
  const ways = await waysOf(ctx);
  const found = await sweep(
    ctx,
    ways,
    ctx.params.repeat,
    ({ title }) => title,
    (way) => measure(ctx, way),
  );
  const rounds = ways.map((way, i) => ({ way, rounds: found[i]! }));
  check(ctx, rounds);
  report(
    ctx,
    rounds.map(({ way, rounds: all }): Measured => {
      const distribution = distributionOf(all);
      if (!distribution)
        throw AppError.from({
          code: 'INTERNAL',
          message: `No round trip over ${way.title} ended in the measured time.`,
          cure: 'Measure longer, or stop other programs that use the CPU.',
        });
      return { way, ...distribution };
    }),
  );
}

async function measure(ctx: Context, way: Way): Promise<Round> {
  const { size, wait, duration } = ctx.params;
  const path = await way.open();
  const pair = path.transport === 'rdma' ? path.pair : null;
  if (pair) await fillPing(pair, size, SEED);
  const once = (): Promise<PingPong> =>
    pingPong({ client: ctx.endpoint('client'), server: ctx.endpoint('server') }, path, {
      size,
      wait: waitOf(path, wait),
      durationMs: duration,
      omitMs: WARM_UP_MS,
    });
  // A round in which no round trip ended has no distribution.
  const measured = await measuredAgain(once, isEmpty);
  const arrived = pair && !isEmpty(measured) ? await pingArrived(pair, size) : null;
  if (pair) await closePair(pair);
  return { ...measured, arrived };
}

const isEmpty = ({ client }: PingPong): boolean => client.messages === 0 && client.latency.count === 0;

interface Rounds {
  way: Way;
  rounds: Round[];
}

function check(ctx: Context, all: readonly Rounds[]): void {
  const { size } = ctx.params;
  const faults = (of: (round: Round) => string | null): string[] =>
    all.flatMap(({ way, rounds }) =>
      rounds.flatMap((round, i) => {
        const fault = of(round);
        return fault === null ? [] : [`${way.title}, round ${i + 1}: ${fault}.`];
      }),
    );
  const trips = all.flatMap(({ rounds }) => rounds).reduce((sum, { client }) => sum + client.messages, 0);
  const verdict = (id: string, wrong: readonly string[], right: string): void =>
    ctx.check(id, wrong.length === 0, wrong.length === 0 ? right : wrong.join(' '));
  const misfits = faults((round) => (isEmpty(round) ? null : misfit(round.client)));
  const empty = faults((round) => (isEmpty(round) ? 'no round trip ended in the measured time' : null));
  if (misfits.length === 0 && empty.length > 0) ctx.doesNotApply('samples', tooBusy(empty.join(' ')));
  else
    verdict(
      'samples',
      misfits,
      `${plural(trips, 'round trip')} in the distributions, as many as were made. Minimum, mean and maximum agree with what the loops recorded.`,
    );
  verdict(
    'rising',
    faults(({ client }) => (rises(client) ? null : 'its slots are not in rising order')),
    'The slots of every distribution rise, so a higher percentile is at least as long.',
  );
  verdict(
    'answered',
    faults(({ client, server }) =>
      server.messages >= client.messages && client.bytes === client.messages * size
        ? null
        : `the server answered ${formatCount(server.messages)} messages, and the client counted ${formatCount(client.messages)} and ${formatCount(client.bytes)} bytes`,
    ),
    `Each message of ${formatNumber(size)} bytes was answered with one of the same size.`,
  );
  verdict(
    'bytes',
    faults(({ arrived }) => (arrived === false ? 'an end does not hold what the other sent' : null)),
    'After each round of RDMA, each end held exactly what the other had sent last.',
  );
}
