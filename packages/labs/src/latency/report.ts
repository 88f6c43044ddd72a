/** Rows, curves, figures and the answer of the lab. */
import type { LabContext } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import type { Distribution } from '../load/distribution.js';
import type { LatencyParams } from './params.js';
import { WAYS, type Way, type WayId } from '../load/ways.js';

type Context = LabContext<LatencyParams>;

export interface Measured extends Distribution {
  way: Way;
}

export function report(ctx: Context, all: readonly Measured[]): void {
  for (const { way, us, median, points } of all) {
    for (const point of points) ctx.point('distribution', { ...point, series: way.id });
    const { n, p50, p99, p999 } = us;
    ctx.row('ways', {
      way: way.title,
      n: n ?? null,
      min: us.min,
      p50,
      lowest: median.min,
      highest: median.max,
      half: p50 === null ? null : p50 / 2,
      p99,
      p999,
      max: us.max,
    });
  }
  const of = (id: WayId): Measured | undefined => all.find(({ way }) => way.id === id);
  for (const { id } of WAYS) {
    const one = of(id);
    ctx.figure(id, one?.median.value ?? null, one?.median ?? {});
  }
  const write = of('write') ?? of('write-shm');
  ctx.figure('half', write ? write.median.value / 2 : null);
  const four = [of('udp'), of('tcp'), of('send') ?? of('send-shm'), write].filter((one) => one !== undefined);
  const order = [...four].sort((a, b) => a.median.value - b.median.value);
  ctx.outcome(
    'order',
    order.map(({ way }) => way.id.replace('-shm', '')),
  );
  // Each way is compared with each other one.
  const among = (all.length * (all.length - 1)) / 2;
  const { text, unclear } = ranking(order, among);
  ctx.answer([text, besideTcp(all, among)].filter(Boolean).join(' '));
  if (unclear)
    ctx.note(
      'Between two ways, a comma stands where there is no clear difference, or too few rounds for one.',
    );
  if (ctx.params.wait === 'event')
    ctx.note('The sockets slept for each message; the ends of a WRITE polled.');
}

const us = ({ value }: Stat): string => `${formatNumber(value)} µs`;

/** Ways from the shortest to the longest: `<` where it is clear, a comma where the ranges of the rounds overlap. */
function ranking(order: readonly Measured[], among: number): { text: string; unclear: boolean } {
  const parts = order.map(({ way, median }, i) => {
    const before = order[i - 1];
    const same = before && compare(median, before.median, among) !== 'higher';
    return `${i === 0 ? '' : same ? ', ' : ' < '}${way.title} ${us(median)}`;
  });
  const unclear = parts.some((part) => part.startsWith(', '));
  return { text: `Median round trips: ${parts.join('')}.`, unclear };
}

/** The effect of bypassing the kernel: the fastest way through shared memory beside TCP. */
function besideTcp(all: readonly Measured[], among: number): string {
  const tcp = all.find(({ way }) => way.id === 'tcp');
  const around = all
    .filter(({ way }) => way.id.endsWith('-shm'))
    .sort((a, b) => a.median.value - b.median.value)[0];
  if (!tcp || !around) return '';
  return `${around.way.title}, which bypasses the kernel, took ${us(around.median)}. Relative to TCP: ${ratioText(around.median, tcp.median, among)}.`;
}
