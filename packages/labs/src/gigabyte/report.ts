/** Rows, figures, what the counters show, and the answer. */
import { median, type LabContext } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import { callsOf, movesData, type Counted } from '../load/calls.js';
import { statOf, type Stat } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import { cpuOf, GB, switchesPerGB, totalOf, type Round } from './costs.js';
import { transportResult } from '../load/transport-result.js';
import type { GigabyteParams } from './params.js';

type Context = LabContext<GigabyteParams>;

export type RouteId = 'tcp' | 'rdma' | 'shm';
export const ROUTE_IDS = ['tcp', 'rdma', 'shm'] as const;

export const TITLES: Readonly<Record<RouteId, string>> = {
  tcp: 'TCP',
  rdma: 'RDMA',
  shm: 'RDMA, shared memory',
};

/** A route, its rounds, and its system calls. */
export interface Cost {
  id: RouteId;
  rounds: Round[];
  calls: Counted;
}

interface Shown {
  id: RouteId;
  cpu: Stat;
  switches: Stat;
  calls: number | null;
  joules: Stat | null;
}

export function report(ctx: Context, costs: readonly Cost[], energyRefused: string | null): void {
  const shown = costs.map((cost) => show(ctx, cost));
  const overUdp = ctx.endpoint('client').has('link') ? 'udp' : null;
  for (const { id, rounds } of costs) {
    const link = id === 'tcp' ? null : id === 'shm' ? id : overUdp;
    ctx.transport(id, transportResult(rounds, id, false, link));
  }
  for (const id of ROUTE_IDS) {
    const one = shown.find((each) => each.id === id);
    ctx.figure(`${id}-cpu`, one?.cpu.value ?? null, one?.cpu ?? {});
    ctx.figure(`${id}-switches`, one?.switches.value ?? null, one?.switches ?? {});
    ctx.figure(`${id}-calls`, one?.calls ?? null);
    ctx.figure(`${id}-energy`, one?.joules?.value ?? null, one?.joules ?? {});
  }
  if (energyRefused !== null) ctx.note(`Energy is not measured here. ${energyRefused}`);
  checkCalls(ctx, costs);
  conclude(ctx, shown);
}

function show(ctx: Context, { id, rounds, calls }: Cost): Shown {
  const tcp = id === 'tcp';
  const parts = rounds.flatMap((round) => cpuOf(round, tcp) ?? []);
  const middle = (of: (part: (typeof parts)[number]) => number | null | undefined): number | null => {
    const values = parts.map(of).filter((value): value is number => typeof value === 'number');
    return values.length > 0 ? median(values) : null;
  };
  const cpu = statOf(rounds.map((round) => totalOf(round, tcp)));
  const switches = statOf(rounds.map(switchesPerGB));
  const energies = rounds.flatMap(({ joules, client }) =>
    joules === null ? [] : [joules / (client.bytes / GB)],
  );
  const joules = energies.length === rounds.length ? statOf(energies) : null;
  const perGB =
    'rates' in calls ? callsOf(calls.rates, ['program', 'device']) * (GB / ctx.params.size) : null;
  ctx.row('costs', {
    route: TITLES[id],
    seconds: median(rounds.map(({ client }) => client.elapsedNs / client.bytes)),
    app: middle(({ app }) => app),
    nic: middle(({ nic }) => nic),
    kernel: middle(({ kernel }) => kernel),
    outside: middle(({ outside }) => outside),
    cpu: cpu.value,
    lowest: cpu.min,
    highest: cpu.max,
    switches: switches.value,
    calls: perGB,
    energy: joules?.value ?? null,
  });
  if ('rates' in calls)
    for (const { part, call, perMessage, emptyPerMessage } of calls.rates)
      if (part !== 'control' && Math.max(perMessage, emptyPerMessage) >= LEAST)
        ctx.row('calls', {
          route: TITLES[id],
          part: part === 'program' ? 'Program' : 'Device',
          call,
          message: perMessage,
          gigabyte: perMessage * (GB / ctx.params.size),
          empty: emptyPerMessage * (GB / ctx.params.size),
        });
  return { id, cpu, switches, calls: perGB, joules };
}

/** Calls per message below which a call belongs to the clock of the loop, not to the data. */
const LEAST = 0.02;
/**
 * Socket calls per message that the message does not cause: programs that share the device exchange their rings through sockets, at
 * other moments in each of the two transfers. A transport over sockets needs at least one per message.
 */
const STRAY = 0.5;

function checkCalls(ctx: Context, costs: readonly Cost[]): void {
  const of = (id: RouteId): Counted | undefined => costs.find((cost) => cost.id === id)?.calls;
  const [tcp, shm] = [of('tcp'), of('shm')];
  if (!tcp || 'refused' in tcp) {
    const why = tcp?.refused ?? 'TCP was not measured.';
    ctx.note(`System calls are not measured here. ${why}`);
    ctx.doesNotApply('tcp-calls', why);
  } else {
    const sent = callsOf(tcp.rates, ['program'], (call) => call.startsWith('send'));
    ctx.check('tcp-calls', sent >= 1, `Calls of TCP to send, per message: ${formatNumber(sent)}.`);
  }
  if (!shm || 'refused' in shm)
    return ctx.doesNotApply('no-calls', shm?.refused ?? 'Shared memory was not measured.');
  const calls = callsOf(shm.rates, ['program', 'device'], movesData);
  ctx.check(
    'no-calls',
    calls < STRAY,
    `Through shared memory, program and device made ${formatNumber(calls)} socket calls that moved bytes, per message.`,
  );
}

function conclude(ctx: Context, shown: readonly Shown[]): void {
  const tcp = shown.find(({ id }) => id === 'tcp')!;
  const others = shown.filter(({ id }) => id !== 'tcp');
  const [first] = others;
  const verdict = first ? compare(first.cpu, tcp.cpu, others.length) : 'unclear';
  ctx.outcome('dearer', verdict === 'higher' ? 'rdma' : verdict === 'lower' ? 'tcp' : 'same');
  const each = others.map(({ id, cpu, calls }) => {
    const without = calls === null ? '' : `, ${formatNumber(calls)} system calls`;
    return `${TITLES[id]} ${formatNumber(cpu.value)} s (${ratioText(cpu, tcp.cpu, others.length)})${without}`;
  });
  const calls = tcp.calls === null ? '' : ` and ${formatNumber(tcp.calls)} system calls`;
  ctx.answer(
    `One GB took ${formatNumber(tcp.cpu.value)} s of CPU time${calls} over TCP; over ${each.join('; over ')}.` +
      (tcp.calls === null ? '' : ' Calls are counted in short traced transfers.'),
  );
}
