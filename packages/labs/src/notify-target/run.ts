import { median } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { statOf, sweep, type Stat, scaled } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import type { Context } from './endpoints.js';
import { measure, WARM_UP, type Measured } from './measure.js';
import { tryWriteAlone } from './silent.js';
import { WAYS, type Way } from './ways.js';

/** Verdicts that the page states. */
const VERDICTS = 2;

const PERCENTS = [0, 10, 25, 50, 75, 90, 95];

interface Found {
  way: Way;
  /** Medians of the repetitions, µs. */
  time: Stat;
  /** CPU time of the server per message, µs. */
  cpu: Stat;
  incomplete: number;
  /** Compared byte by byte, the warm-up included. */
  messages: number;
}

export async function runNotifyTarget(ctx: Context): Promise<void> {
  await tryWriteAlone(ctx);
  const rounds = await sweep(
    ctx,
    WAYS,
    ctx.params.repeat,
    ({ title }) => title,
    (way) => measure(ctx, way),
  );
  ctx.draining();
  const found = WAYS.flatMap((way, i) => {
    const measured = rounds[i]!.filter((one) => one !== null);
    if (measured.length > 0) return [show(ctx, way, measured)];
    ctx.note(
      `${ctx.endpoint('server').device.name} at the server has no atomics (atomic_cap is none), so no counter was measured.`,
    );
    return [];
  });
  checkWhole(ctx, found);
  report(ctx, found);
}

function show(ctx: Context, way: Way, measured: readonly Measured[]): Found {
  const all = measured.flatMap(({ roundTrips }) => roundTrips).sort((a, b) => a - b);
  const { min, max, n } = scaled(statOf(all), 1e-3);
  const found: Found = {
    way,
    time: statOf(measured.map(({ roundTrips }) => median(roundTrips) / 1000)),
    cpu: statOf(measured.map(({ cpu }) => cpu / 1000)),
    incomplete: measured.reduce((sum, { incomplete }) => sum + incomplete, 0),
    messages: measured.length * (ctx.params.messages + WARM_UP),
  };
  ctx.row('ways', {
    way: way.title,
    median: found.time.value,
    min,
    max,
    n,
    cpu: found.cpu.value,
    recv: way.recv,
    ordered: way.ordered,
    incomplete: found.incomplete,
  });
  for (const percent of PERCENTS)
    ctx.point('distribution', {
      x: percent,
      y: all[Math.floor((percent / 100) * (n - 1))]! / 1000,
      series: way.id,
    });
  return found;
}

function checkWhole(ctx: Context, found: readonly Found[]): void {
  const ordered = found.filter(({ way }) => way.ordered);
  const messages = ordered.reduce((sum, one) => sum + one.messages, 0);
  const wrong = ordered.filter(({ incomplete }) => incomplete > 0);
  ctx.check(
    'whole',
    messages > 0 && wrong.length === 0,
    wrong.length === 0
      ? `All bytes of ${plural(messages, 'message')} (${plural(ordered.length, 'measurement')} with such a guarantee, warm-up included) were there when the server noticed them.`
      : wrong
          .map(({ way, incomplete }) => `${way.title}: ${plural(incomplete, 'message')} incomplete.`)
          .join(' '),
  );
}

function report(ctx: Context, found: readonly Found[]): void {
  const of = (id: string): Found => found.find(({ way }) => way.id === id)!;
  const [memory, imm, asleep] = [of('memory'), of('imm'), of('imm-sleep')];
  ctx.figure('memory-time', memory.time.value, memory.time);
  ctx.figure('imm-time', imm.time.value, imm.time);
  ctx.figure('sleep-time', asleep.time.value, asleep.time);
  ctx.figure('memory-cpu', memory.cpu.value, memory.cpu);
  ctx.figure('sleep-cpu', asleep.cpu.value, asleep.cpu);
  const cpu = compare(asleep.cpu, memory.cpu, VERDICTS);
  ctx.outcome('cpu', cpu === 'lower' ? 'less' : cpu === 'higher' ? 'more' : 'same');
  ctx.answer(
    `Polling its memory for a WRITE, the server answered after ${formatNumber(memory.time.value)} µs and used ${formatNumber(memory.cpu.value)} µs of CPU time per message. ` +
      `Woken by WRITE_WITH_IMM, it took ${formatNumber(asleep.time.value)} µs (${ratioText(asleep.time, memory.time, VERDICTS)}) and ${formatNumber(asleep.cpu.value)} µs of CPU time (${ratioText(asleep.cpu, memory.cpu, VERDICTS)}).`,
  );
}
