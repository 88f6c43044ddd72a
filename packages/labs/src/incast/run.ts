import { heightOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import type { LatencyUs, Link } from '@verbslab/protocol';
import { summaryOf } from '../load/latency-summary.js';
import { jainIndex } from '../base/fairness.js';
import { formatNumber, plural } from '../base/format.js';
import { goodput } from '../load/loop.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { hashOf } from '../endpoints/side.js';
import { checkFigures, tooBusy } from '../endpoints/too-busy.js';
import { compare, doubtOf } from '../base/verdict.js';
import { openEnds, type Ends } from './endpoints.js';
import { limitText, sharesOf } from './fairness.js';
import { measure, receive, type Measured } from './measure.js';
import type { Context } from './params.js';

interface Load {
  count: number;
  rounds: Measured[];
  /** Gb/s; null without clients. */
  total: Stat | null;
  each: Stat | null;
  fairness: number | null;
  latency: LatencyUs | null;
  /** Mean latency of the small requests, µs. */
  mean: number | null;
  /** Means of the repetitions in which any completed, µs. */
  means: Stat;
}

const SERVER_SEED = 0xffff;
/** Checks that other programs can decide. */
const TIMED = 2;
/** Share of the time below which the measurements are not of all clients together, %. */
const AT_ONCE = 50;

/** Fills the memory: a pattern of its own per client, and none of them at the server. */
async function fill({ server, clients }: Ends): Promise<void> {
  await server.endpoint.call('fillMemory', {
    ...{ mr: server.mr.mr, offset: 0, length: server.mr.length, seed: SERVER_SEED },
  });
  for (const [i, { endpoint, mr, size }] of clients.entries())
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed: i + 1 });
}

export async function runIncast(ctx: Context): Promise<void> {
  const { clients, op } = ctx.params;
  const ends = await openEnds(ctx);
  await fill(ends);
  const stop = op === 'send' ? await receive(ctx, ends) : null;
  const loads = await measureAll(ctx, ends);
  ctx.draining();
  const received = stop ? await stop() : null;
  await judgeArrived(ctx, ends, loads, received);
  await closeAll(...ends.clients, ends.probe, ends.server);
  show(ctx, loads);
  judgeRnr(ctx, loads);
  conclude(
    ctx,
    ends.probe.link,
    loads.find(({ count }) => count === 1)!,
    loads.find(({ count }) => count === clients)!,
    loads[0]!,
  );
}

/** Measures without a client, with one, and with more and more of them. */
async function measureAll(ctx: Context, ends: Ends): Promise<Load[]> {
  const counts = [0, ...powersOfTwo(ctx.params.clients)];
  const found = await sweep(
    ctx,
    counts,
    ctx.params.repeat,
    (count) => plural(count, 'client'),
    (count) => measure(ctx, ends, count),
  );
  return counts.map((count, i) => loadOf(count, found[i]!));
}

function loadOf(count: number, rounds: Measured[]): Load {
  const rates = rounds.map(({ clients }) => clients.map(goodput));
  const totals = rates.map((list) => list.reduce((sum, one) => sum + one, 0));
  const fair = rates.map(jainIndex).filter((one) => one !== null);
  const summary = summaryOf(rounds.map(({ probe }) => probe));
  return {
    count,
    rounds,
    total: count === 0 ? null : statOf(totals),
    each: count === 0 ? null : statOf(totals.map((total) => total / count)),
    fairness: fair.length === 0 ? null : statOf(fair).value,
    latency: summary?.us ?? null,
    mean: summary?.mean ?? null,
    means: statOf(rounds.flatMap(({ probe }) => summaryOf([probe])?.mean ?? [])),
  };
}

/** Part of the measured time in which all clients sent, from 0 to 1. */
function together({ clients }: Measured): number {
  const from = Math.max(...clients.map(({ startedAt }) => startedAt));
  const to = Math.min(...clients.map(({ startedAt, elapsedNs }) => startedAt + elapsedNs));
  return Math.max(0, to - from) / Math.max(...clients.map(({ elapsedNs }) => elapsedNs));
}

/** Sum over all repetitions; null where a device does not count. */
const sum = ({ rounds }: Load, of: 'naks' | 'retransmitted' | 'overruns'): number | null =>
  rounds.reduce<number | null>((all, one) => (all === null || one[of] === null ? null : all + one[of]), 0);

function serverCpus({ rounds }: Load): number | null {
  const known = rounds.flatMap((one) => (one.serverCpus === null ? [] : [one.serverCpus]));
  return known.length === 0 ? null : statOf(known).value * 100;
}

function show(ctx: Context, loads: readonly Load[]): void {
  for (const load of loads) {
    const { count, total, each, fairness, latency } = load;
    ctx.row('loads', {
      clients: count,
      total: total?.value ?? null,
      each: each?.value ?? null,
      fairness,
      mean: load.mean,
      p50: latency?.p50 ?? null,
      p90: latency?.p90 ?? null,
      together: count === 0 ? null : statOf(load.rounds.map(together)).value * 100,
      busy: serverCpus(load),
      naks: sum(load, 'naks'),
      retransmitted: sum(load, 'retransmitted'),
      overruns: sum(load, 'overruns'),
    });
    for (const series of ['p50', 'p90'] as const)
      ctx.point('latency', { x: count, y: latency?.[series] ?? null, series });
    if (!total || !each) continue;
    ctx.point('goodput', { x: count, ...heightOf(total), series: 'total' });
    ctx.point('goodput', { x: count, ...heightOf(each), series: 'each' });
  }
  const { count, rounds } = loads.at(-1)!;
  const each = Array.from({ length: count }, (_, i) =>
    statOf(rounds.map(({ clients }) => goodput(clients[i]!))),
  );
  const shares = sharesOf(each.map(({ value }) => value));
  for (const [i, { value, min, max }] of each.entries())
    ctx.row('clients', { client: i + 1, goodput: value, min, max, share: shares[i]! });
}

/** Requests that completed in all measurements, by client. */
const completedBy = (loads: readonly Load[]): number[] =>
  loads
    .at(-1)!
    .rounds[0]!.completed.map((_, i) =>
      loads.flatMap(({ rounds }) => rounds).reduce((sum, { completed }) => sum + (completed[i] ?? 0), 0),
    );

async function judgeArrived(
  ctx: Context,
  ends: Ends,
  loads: readonly Load[],
  received: number | null,
): Promise<void> {
  if (received !== null) {
    const bytes = completedBy(loads).reduce((all, one) => all + one * ctx.params.size, 0);
    if (bytes + received === 0) return ctx.doesNotApply('arrived', tooBusy('no SEND completed.'));
    return ctx.check(
      'arrived',
      bytes === received,
      `The clients’ SENDs carried ${plural(bytes, 'byte')}, and the server’s RECVs got ${received === bytes ? 'as many' : plural(received, 'byte')}.`,
    );
  }
  const { server, clients } = ends;
  const same = await Promise.all(
    clients.map(
      async (one) => (await hashOf(one, 0, one.size)) === (await hashOf(server, one.slot, one.size)),
    ),
  );
  const right = same.filter(Boolean).length;
  const completed = completedBy(loads);
  const idle = clients.filter((_, i) => completed[i] === 0).length;
  // A WRITE that did not complete may have arrived or not.
  if (idle > 0 && same.every((one, i) => one || completed[i] === 0))
    return ctx.doesNotApply(
      'arrived',
      tooBusy(`no WRITE of ${idle} of ${plural(clients.length, 'client')} completed in the measured time.`),
    );
  ctx.check(
    'arrived',
    right === clients.length,
    `The server’s memory holds the message of ${right} of ${plural(clients.length, 'client')}.`,
  );
}

function judgeRnr(ctx: Context, loads: readonly Load[]): void {
  const { op, recvs, window } = ctx.params;
  const all = loads.map((load) => sum(load, 'naks'));
  if (all.includes(null)) {
    ctx.figure('naks', null);
    return ctx.doesNotApply('rnr', 'The server’s device does not count its RNR NAKs.');
  }
  const naks = all.reduce<number>((total, one) => total + one!, 0);
  ctx.figure('naks', naks);
  if (op === 'write')
    return ctx.check(
      'rnr',
      naks === 0,
      `WRITEs take no RECV: the server’s device sent ${plural(naks, 'RNR NAK')}.`,
    );
  if (recvs * 4 > window)
    return ctx.doesNotApply(
      'rnr',
      `The server kept ${plural(recvs, 'RECV')} posted per client, so chance decides whether they run out: ${plural(naks, 'RNR NAK')}.`,
    );
  ctx.check(
    'rnr',
    naks > 0,
    `With ${plural(recvs, 'RECV')} per client for ${plural(window, 'message')} in flight, the server’s device sent ${plural(naks, 'RNR NAK')}.`,
  );
}

function conclude(ctx: Context, link: Link | null, one: Load, all: Load, idle: Load): void {
  const { clients, size, window } = ctx.params;
  const [alone, total, each] = [one.each!, all.total!, all.each!];
  const share = (each.value / alone.value) * 100;
  ctx.figure('alone', alone.value, alone);
  ctx.figure('total', total.value, total);
  ctx.figure('each', each.value, each);
  ctx.figure('share', share);
  ctx.figure('fairness', all.fairness);
  ctx.figure('waiting', (clients * window * size * 8) / total.value / 1000);
  ctx.figure('overruns', sum(all, 'overruns'));
  const atOnce = statOf(all.rounds.map(together)).value * 100;
  ctx.figure('together', atOnce);
  const busy = serverCpus(all);
  ctx.figure('busy', busy);
  if (busy === null) ctx.doesNotApply('limit', 'The server’s device does not report its CPU time.');
  // Either answer is right, since the load of the machine decides. Only a CPU time of 0 is wrong.
  else ctx.check('limit', busy > 0, limitText(busy));
  const [calm, beside] = [idle.mean, all.mean];
  ctx.figure('calm', calm);
  ctx.figure('beside', beside);
  const apart =
    atOnce < AT_ONCE
      ? `The clients sent at the same time in ${formatNumber(atOnce)} % of the measured time only: this machine may have too few free cores.`
      : null;
  const less = `One client alone got ${formatNumber(alone.value)} Gb/s, and each of ${clients} at once ${formatNumber(each.value)} Gb/s on average.`;
  if (apart) ctx.doesNotApply('less', `${less} ${apart}`);
  else {
    const refuted = compare(each, alone, TIMED) === 'higher';
    checkFigures(ctx, 'less', { holds: each.value < alone.max, refuted }, less);
  }
  if (calm === null || beside === null) return ctx.doesNotApply('waits', 'No small request completed.');
  const times = beside / calm;
  ctx.outcome('latency', times < 2 ? 'same' : times < 10 ? 'some' : 'much');
  const words =
    `A small request took ${formatNumber(calm)} µs without the clients and ${formatNumber(beside)} µs with them on average` +
    `${all.latency?.p50 == null || all.latency.p90 == null ? '' : ` (p50 ${formatNumber(all.latency.p50)} µs, p90 ${formatNumber(all.latency.p90)} µs)`}.`;
  if (link === 'shm')
    ctx.doesNotApply(
      'waits',
      `${words} In shared memory it has a ring of its own and does not wait behind the clients’ data.`,
    );
  else if (apart) ctx.doesNotApply('waits', `${words} ${apart}`);
  else {
    const refuted = compare(all.means, idle.means, TIMED) === 'lower';
    checkFigures(ctx, 'waits', { holds: beside > calm, refuted }, words);
  }
  const doubt = doubtOf(each, alone, 1);
  ctx.answer(
    `${plural(clients, 'client')} at once share ${formatNumber(total.value)} Gb/s: each gets ${formatNumber(share)} % of what one gets alone${doubt === null ? '' : ` (${doubt})`}` +
      `${all.fairness === null ? '' : `, with a fairness of ${formatNumber(all.fairness)}`}. ` +
      `A small request with them takes ${formatNumber(beside)} µs on average instead of ${formatNumber(calm)} µs.` +
      // The check and the caveat have the whole sentence: an answer has two lines.
      (apart ? ' Too few cores were free for all to send at once.' : ''),
  );
}
