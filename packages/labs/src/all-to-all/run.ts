import { cellsOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import { median } from '@verbslab/protocol';
import { openHosts } from '../collective/hosts.js';
import { formatBytes, formatCount, formatNumber, plural } from '../base/format.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import { captureExchanges, judgeExchanges, type Captured } from './capture.js';
import { exchange, type Exchange, type Hosts } from './exchange.js';
import { EXCHANGES, type Context } from './params.js';
import { ALGORITHMS, costsOf, NAMES, placesOf, scheduleOf, type Algorithm } from './schedule.js';

/** Verdicts that the page states. */
const VERDICTS = 2;

interface Repetition {
  /** Median of its exchanges. */
  us: number;
  done: Exchange[];
}

interface Timed {
  algorithm: Algorithm;
  size: number;
  us: Stat;
  repetitions: Repetition[];
}

async function openAll(ctx: Context): Promise<Hosts> {
  const endpoints = ctx.endpoints('host');
  const count = endpoints.length;
  const gather = Math.min(Math.floor(count / 2), ...endpoints.map(({ device }) => device.limits.maxSge));
  const length = placesOf(count) * ctx.params.large;
  return { all: await openHosts(ctx, { length, depth: 4, gather }), gather };
}

export async function runAllToAll(ctx: Context): Promise<void> {
  const hosts = await openAll(ctx);
  showSchedules(ctx, hosts);
  const captured = await captureExchanges(ctx, hosts);
  showCounts(ctx, hosts, captured);
  judgeExchanges(ctx, captured);
  const timed = await timeAll(ctx, hosts);
  ctx.draining();
  await closeAll(...hosts.all);
  showTimes(ctx, timed);
  judgeBlocks(ctx, [
    ...captured,
    ...timed.flatMap(({ repetitions }) => repetitions.flatMap(({ done }) => done)),
  ]);
  conclude(ctx, captured, timed);
}

/** Shows the schedule of host 1, with hosts numbered from 1. */
function showSchedules(ctx: Context, { all }: Hosts): void {
  for (const algorithm of ALGORITHMS)
    for (const [r, { peer, blocks }] of scheduleOf(algorithm, all.length, 0).rounds.entries())
      ctx.row('schedule', {
        algorithm: NAMES[algorithm],
        round: r + 1,
        peer: peer + 1,
        count: blocks.length,
        blocks: blocks.map(({ from, to }) => `${from + 1}→${to + 1}`).join(', '),
      });
}

/** The value that all hosts have in common; null if they differ. */
const ofEach = (values: readonly number[]): number | null =>
  values.every((value) => value === values[0]) ? values[0]! : null;

function showCounts(ctx: Context, { all, gather }: Hosts, captured: readonly Captured[]): void {
  const { small } = ctx.params;
  const texts: string[] = [];
  let right = true;
  for (const { algorithm, messages, bytes, packets, needed, counted } of captured) {
    const formula = costsOf(algorithm, all.length, gather);
    const [sent, moved] = [ofEach(messages), ofEach(bytes)];
    const blocks = moved === null ? null : moved / small;
    const total = packets ? packets.data + packets.acks : null;
    ctx.figure(`messages-${algorithm}`, sent);
    ctx.figure(`blocks-${algorithm}`, blocks);
    ctx.figure(`packets-${algorithm}`, total);
    ctx.row('counts', {
      algorithm: NAMES[algorithm],
      messages: sent,
      messagesFormula: formula.messages,
      blocks,
      blocksFormula: formula.blocks,
      bytes: moved,
      packets: total,
      packetsFormula: needed,
      again: packets?.again ?? null,
      counted,
    });
    if (sent !== formula.messages || blocks !== formula.blocks) right = false;
    texts.push(
      `${NAMES[algorithm]}: ${sent === null ? 'numbers of messages that differ' : plural(sent, 'message')} and ` +
        `${blocks === null ? 'numbers of blocks that differ' : plural(blocks, 'block')} per host, computed ${formula.messages} and ${formula.blocks}.`,
    );
  }
  ctx.check('messages', right, texts.join(' '));
}

async function repetition(hosts: Hosts, algorithm: Algorithm, size: number): Promise<Repetition> {
  const done: Exchange[] = [];
  for (let i = 0; i < EXCHANGES; i++) done.push(await exchange(hosts, algorithm, size));
  return { us: median(done.map(({ elapsedNs }) => elapsedNs / 1000)), done };
}

async function timeAll(ctx: Context, hosts: Hosts): Promise<Timed[]> {
  const { small, large, repeat } = ctx.params;
  const settings = [small, large].flatMap((size) => ALGORITHMS.map((algorithm) => ({ algorithm, size })));
  const found = await sweep(
    ctx,
    settings,
    repeat,
    ({ algorithm, size }) => `${NAMES[algorithm]}, blocks of ${formatBytes(size)}`,
    ({ algorithm, size }) => repetition(hosts, algorithm, size),
  );
  return settings.map((setting, i) => {
    const repetitions = found[i]!;
    return { ...setting, repetitions, us: statOf(repetitions.map(({ us }) => us)) };
  });
}

function showTimes(ctx: Context, timed: readonly Timed[]): void {
  const { small } = ctx.params;
  for (const { algorithm, size, us, repetitions } of timed) {
    ctx.figure(`${size === small ? 'small' : 'large'}-${algorithm}`, us.value, us);
    ctx.row('times', {
      size,
      algorithm: NAMES[algorithm],
      ...cellsOf(us),
    });
    for (const { us: y } of repetitions) ctx.point('time', { x: size, y, series: algorithm });
  }
}

function judgeBlocks(ctx: Context, done: readonly Exchange[]): void {
  const right = done.reduce((sum, one) => sum + one.right, 0);
  const expected = done.reduce((sum, one) => sum + one.expected, 0);
  ctx.check(
    'data',
    right === expected,
    `In ${plural(done.length, 'exchange')}, ${plural(right, 'block')} of ${formatCount(expected)} arrived with the bytes of their sender.`,
  );
}

function conclude(ctx: Context, captured: readonly Captured[], timed: readonly Timed[]): void {
  const { hosts, small, large } = ctx.params;
  const of = (size: number, algorithm: Algorithm): Stat =>
    timed.find((one) => one.size === size && one.algorithm === algorithm)!.us;
  const words = [small, large].map((size) => {
    const [bruck, pairwise] = [of(size, 'bruck'), of(size, 'pairwise')];
    const verdict = compare(bruck, pairwise, VERDICTS);
    ctx.outcome(
      size === small ? 'small' : 'large',
      verdict === 'lower' ? 'bruck' : verdict === 'higher' ? 'pairwise' : 'unclear',
    );
    return `${formatBytes(size)} that took ${formatNumber(bruck.value)} and ${formatNumber(pairwise.value)} µs (${ratioText(bruck, pairwise, VERDICTS)})`;
  });
  const [pairwise, bruck] = ALGORITHMS.map((one) => captured.find(({ algorithm }) => algorithm === one)!);
  ctx.answer(
    `Each of ${plural(hosts, 'host')} sent ${plural(bruck!.messages[0]!, 'message')} with ${plural(bruck!.bytes[0]! / small, 'block')} by Bruck’s algorithm, ` +
      `and ${formatCount(pairwise!.messages[0]!)} with ${formatCount(pairwise!.bytes[0]! / small)} pairwise. With blocks of ${words.join(', with blocks of ')}.`,
  );
}
