import type { EndpointResult, LabContext, TimedWrite } from '@verbslab/protocol';
import { formatCount, formatTime, plural } from '../base/format.js';
import { scaled, statOf } from '../base/sweep.js';
import { closeAll } from '../endpoints/scope.js';
import { arrived, connectWriteTarget, type WriteTarget } from '../endpoints/write-target.js';
import { accountsOf, expectedMisses, messageLengths, typical } from './accounts.js';
import { asExpected, bounded, counted } from './checks.js';
import { LENGTHS, type MrCacheParams } from './params.js';
import { fasterOf, fasterText } from '../base/verdict.js';

type Context = LabContext<MrCacheParams>;
type Round = EndpointResult<'timeWrites'>;

const SEED = 20_261_125;
const US = 1e-3;

export async function runMrCache(ctx: Context): Promise<void> {
  const { params } = ctx;
  const target = await connectWriteTarget(ctx, params.link, Math.max(...LENGTHS));
  const { client } = target;
  const pinned = async (): Promise<number | null> =>
    client.endpoint.has('pinned') ? (await client.endpoint.call('pinned', {})).regions : null;
  const lengths = messageLengths(params);

  // Every buffer once, so that neither kind of round pays for the first call of the process.
  await write(ctx, target, [...LENGTHS], 0);
  const before = await pinned();
  const cached: Round[] = [];
  const plain: Round[] = [];
  for (let round = 0; round < params.rounds; round++) {
    ctx.progress(round / params.rounds, `Round ${round + 1} of ${params.rounds}`);
    cached.push(await write(ctx, target, lengths, params.capacity));
    plain.push(await write(ctx, target, lengths, 0));
  }
  const after = await pinned();

  tellRounds(ctx, lengths, cached, plain);
  const whole = await arrived(target, SEED);
  await closeAll(target.client, target.server);

  const rounds = cached.map(({ writes }) => accountsOf(writes));
  const first = rounds[0]!;
  const odd = rounds.find(({ hits, evictions }) => hits !== first.hits || evictions !== first.evictions);
  report(ctx, 'counted', counted(odd ?? first, lengths.length));
  report(ctx, 'expected', asExpected(odd ?? first, expectedMisses(params, lengths)));
  report(ctx, 'bounded', bounded(first, cached[0]!.left, params.capacity));
  if (before === null || after === null)
    ctx.doesNotApply('returned', 'This device does not count its registered regions.');
  else
    ctx.check(
      'returned',
      after === before,
      `${plural(before, 'region')} before the messages, ${formatCount(after)} after them.`,
    );
  if (lengths.includes(Math.max(...LENGTHS)))
    ctx.check(
      'bytes',
      whole,
      whole ? 'The server’s memory holds what the client wrote.' : 'The server’s memory holds other bytes.',
    );
  else ctx.doesNotApply('bytes', 'No message filled all of the server’s memory.');
}

const write = (
  ctx: Context,
  { client, mr }: WriteTarget,
  lengths: number[],
  capacity: number,
): Promise<Round> =>
  client.endpoint.call('timeWrites', {
    pd: client.pd,
    qp: client.qp.qp,
    cq: client.cq,
    remote: { addr: mr.addr, rkey: mr.rkey },
    lengths,
    seed: SEED,
    memory: { kind: 'cache', capacity, evict: ctx.params.eviction },
  });

function tellRounds(ctx: Context, lengths: readonly number[], cached: Round[], plain: Round[]): void {
  const accounts = cached.map(({ writes }) => accountsOf(writes));
  const { hits, misses, evictions } = accounts[0]!;
  const known = (times: number[]): number[] => times.filter((time) => !Number.isNaN(time));
  const figure = (name: string, samples: number[]): void => {
    const found = known(samples);
    if (found.length === 0) return ctx.figure(name, null);
    const stat = scaled(statOf(found), US);
    ctx.figure(name, stat.value, stat);
  };
  ctx.figure('hits', hits);
  ctx.figure('misses', misses);
  ctx.figure('evictions', evictions);
  ctx.figure('hit-rate', (100 * hits) / lengths.length);
  figure(
    'hit-time',
    accounts.map(({ hitNs }) => hitNs),
  );
  figure(
    'miss-time',
    accounts.map(({ missNs }) => missNs),
  );
  const [shown, other] = [cached, plain].map((rounds) => typical(rounds.map(({ writes }) => writes))) as [
    TimedWrite[],
    TimedWrite[],
  ];
  const withCache = accountsOf(shown).prepareNs;
  const without = accountsOf(other).prepareNs;
  ctx.figure('with-cache', withCache * US, { n: cached.length });
  ctx.figure('without', without * US, { n: plain.length });

  const sums = { cache: 0, none: 0 };
  for (const [index, { hit, evictions: dropped, prepareNs, transferNs }] of shown.entries()) {
    ctx.row('messages', {
      message: index + 1,
      length: lengths[index]!,
      found: hit ? 'hit' : 'miss',
      evicted: dropped,
      prepare: prepareNs * US,
      transfer: transferNs * US,
    });
    sums.cache += prepareNs;
    sums.none += other[index]!.prepareNs;
    ctx.point('sum', { x: index + 1, y: sums.cache * US, series: 'cache' });
    ctx.point('sum', { x: index + 1, y: sums.none * US, series: 'none' });
  }
  const times = accounts.map(({ prepareNs }) => prepareNs);
  const plainTimes = plain.map(({ writes }) => accountsOf(writes).prepareNs);
  const faster = fasterOf(times, plainTimes, 1);
  ctx.outcome('pays', faster === 'first' ? 'faster' : faster === 'second' ? 'slower' : 'same');
  const compared =
    faster === 'first' || faster === 'second'
      ? `${formatTime(without)} without a cache`
      : `${formatTime(without)} without a cache: ${fasterText(times, plainTimes, 1, 'the cache', 'registering each time')}`;
  ctx.answer(
    `${plural(misses, 'registration')} served ${plural(lengths.length, 'message')}: ${plural(misses, 'miss', 'misses')}, ${plural(hits, 'hit')}, ${plural(evictions, 'eviction')}. Getting registered memory took ${formatTime(withCache)} in all, ${compared}.`,
  );
}

function report(ctx: Context, id: string, { ok, detail }: { ok: boolean | null; detail: string }): void {
  if (ok === null) ctx.doesNotApply(id, detail);
  else ctx.check(id, ok, detail);
}
