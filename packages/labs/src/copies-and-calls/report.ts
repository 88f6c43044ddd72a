/** Rows, figures, what the counters show, and the answer. */
import type { LabContext } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import { callsOf, movesData, type CallRate, type Counted } from '../load/calls.js';
import { statOf } from '../base/sweep.js';
import { WAYS, type Way, type WayId } from '../load/ways.js';
import { copiesOf } from './copies.js';
import { cpuPerMessage, perKiB, switchesPerMessage, type Round } from './costs.js';
import type { CopiesAndCallsParams } from './params.js';

type Context = LabContext<CopiesAndCallsParams>;

/** A way, its rounds with small and with large messages, and its system calls. */
export interface Measured {
  way: Way;
  small: Round[];
  large: Round[];
  calls: Counted;
}

/** Calls per message below which a call belongs to the clock of the loop, not to the data. */
const LEAST = 0.02;
/**
 * Socket calls per message that the message does not cause: programs that share the device exchange their rings through sockets, at
 * other moments in each of the two transfers. A transport over sockets needs at least one per message.
 */
const STRAY = 0.5;

export function report(ctx: Context, all: readonly Measured[]): void {
  for (const one of all) show(ctx, one);
  for (const { id } of WAYS) {
    const one = all.find(({ way }) => way.id === id);
    ctx.figure(`${id}-calls`, one ? callsPerMessage(one.calls) : null);
    const switches = one ? statOf(one.small.map(switchesPerMessage)) : null;
    ctx.figure(`${id}-switches`, switches?.value ?? null, switches ?? {});
  }
  checkCalls(ctx, all);
  conclude(ctx, all);
}

const perMessage = (calls: Counted, of: (rates: readonly CallRate[]) => number): number | null =>
  'rates' in calls ? of(calls.rates) : null;

const callsPerMessage = (calls: Counted): number | null =>
  perMessage(calls, (rates) => callsOf(rates, ['program', 'device']));

function show(ctx: Context, { way, small, large, calls }: Measured): void {
  const cpu = statOf(small.map(cpuPerMessage));
  const { size, large: longer } = ctx.params;
  const kib = statOf(
    small.map((round, i) =>
      perKiB({ size, ns: cpuPerMessage(round) }, { size: longer, ns: cpuPerMessage(large[i]!) }),
    ),
  );
  const copies = copiesOf(way.id, ctx.endpoint('client').device.providerClass);
  ctx.row('ways', {
    way: way.title,
    program: perMessage(calls, (rates) => callsOf(rates, ['program'])),
    device: perMessage(calls, (rates) => callsOf(rates, ['device'])),
    switches: statOf(small.map(switchesPerMessage)).value,
    cpu: cpu.value / 1000,
    lowest: cpu.min / 1000,
    highest: cpu.max / 1000,
    kib: kib.value,
    kibLowest: kib.min,
    kibHighest: kib.max,
  });
  ctx.row('copies', {
    way: way.title,
    copies: copies?.length ?? null,
    where:
      copies === null ? 'unknown device' : copies.join(', ') || 'none: the NIC reads and writes memory (DMA)',
  });
  if (!('rates' in calls)) return;
  for (const rate of calls.rates) {
    const { perMessage: done, emptyPerMessage: empty } = rate;
    if (rate.part === 'control' || Math.max(done, empty) < LEAST) continue;
    ctx.row('calls', {
      way: way.title,
      part: rate.part === 'program' ? 'Program' : 'Device',
      call: rate.call,
      done,
      empty,
    });
  }
}

function checkCalls(ctx: Context, all: readonly Measured[]): void {
  const of = (ids: readonly WayId[]): Measured[] => all.filter(({ way }) => ids.includes(way.id));
  const refused = all.flatMap(({ calls }) => ('refused' in calls ? calls.refused : []))[0];
  if (refused !== undefined) {
    ctx.note(`System calls are not measured here. ${refused}`);
    ctx.doesNotApply('sockets', refused);
    return ctx.doesNotApply('around', refused);
  }
  const told = of(['udp', 'tcp']).map(({ way, calls }) => {
    const [sent, taken] = [/^send/, /^recv/].map(
      (name) => perMessage(calls, (rates) => callsOf(rates, ['program'], (call) => name.test(call))) ?? 0,
    ) as [number, number];
    return {
      ok: sent >= 1 && taken >= 1,
      text: `Calls per message over ${way.title}: ${formatNumber(sent)} to send, ${formatNumber(taken)} to receive.`,
    };
  });
  ctx.check(
    'sockets',
    told.every(({ ok }) => ok),
    told.map(({ text }) => text).join(' '),
  );
  const around = of(['send-shm', 'write-shm']);
  if (around.length === 0) return ctx.doesNotApply('around', 'Shared memory was not measured.');
  const calls = around.map(
    (one) => perMessage(one.calls, (rates) => callsOf(rates, ['program', 'device'], movesData)) ?? 0,
  );
  ctx.check(
    'around',
    calls.every((count) => count < STRAY),
    around
      .map(
        ({ way }, i) =>
          `${way.title}: ${formatNumber(calls[i]!)} socket calls that moved bytes, per message.`,
      )
      .join(' '),
  );
}

function conclude(ctx: Context, all: readonly Measured[]): void {
  const each = all
    .filter(({ way }) => way.id !== 'udp' && !way.id.startsWith('send'))
    .map(({ way, small, calls }) => {
      const count = callsPerMessage(calls);
      const switches = formatNumber(statOf(small.map(switchesPerMessage)).value);
      return `${way.title} ${count === null ? '' : `${formatNumber(count)} system calls and `}${switches} context switches`;
    });
  ctx.answer(`Per message, both ends together: ${each.join('; ')}.`);
}
