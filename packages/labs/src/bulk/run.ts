import {
  CAPABILITY_TEXT,
  type Capability,
  type EndpointHandle,
  type LabContext,
  type TransportResult,
} from '@verbslab/protocol';
import { capture } from './capture.js';
import {
  BULK_CHECKS,
  bytesEqual,
  completionsMatch,
  cpuAddsUp,
  growth,
  icrcRight,
  packetsConform,
  recovered,
  tcpDelivered,
  type Captured,
  type Counters,
} from './checks.js';
import { compareMemory, connect, disconnect, type Connection } from './connection.js';
import { transportResult, type Measured } from './figures.js';
import { bulkAnswer, bulkFindings, OUTSIDE_TEXT, overrunText, type Findings } from './findings.js';
import { measure, type Pair, type Span } from './measure.js';
import { roundSeconds, type BulkParams } from './params.js';
import { addressOfGid, rdmaInitiator, rdmaTarget, tcpInitiator, tcpTarget } from './transports.js';

type Context = LabContext<BulkParams>;

const ROLES = ['client', 'server'] as const;

/** What may lie in the sockets' buffers at the end: Linux lets both grow to a few MiB. */
const TCP_IN_FLIGHT = 16 * 1024 * 1024;

/** The rounds of each transport. */
interface Outcome {
  rdma?: Measured[];
  tcp?: Measured[];
}

export async function runBulk(ctx: Context): Promise<void> {
  const { params } = ctx;
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const withRdma = params.transport !== 'tcp';
  if (withRdma) noteMissing(ctx, ends);

  ctx.progress(0, 'Setting up');
  const connection = withRdma ? await connect(ctx) : null;
  const counters = withRdma && ends.every((end) => end.has('counters'));
  const before = counters ? await readCounters(ctx, 'before') : null;
  const cpuBefore = await processSeconds(ctx);
  const outcome = await measureAll(ctx, connection, counters).catch(async (error: unknown) => {
    // Counters that cannot be read either leave the error as it is.
    const now = before ? await readCounters(ctx, 'after').catch(() => null) : null;
    if (before && now) tellOverruns(ctx, before, now);
    throw error;
  });
  const cpu = (await processSeconds(ctx)) - cpuBefore;
  const after = counters ? await readCounters(ctx, 'after') : null;

  ctx.progress(0.95, 'Checking');
  const compared =
    connection && outcome.rdma ? await compareMemory(connection, params, sent(outcome.rdma)) : null;
  const captured =
    connection && params.capturePackets > 0 && ends[0].has('tap')
      ? await capture(ctx, connection, params.size)
      : null;
  ctx.draining();
  if (connection) await disconnect(connection);

  const grown = (side: 0 | 1): Counters | null =>
    before && after ? growth(before[side] ?? {}, after[side] ?? {}) : null;
  tellFigures(ctx, outcome);
  if (before && after) tellOverruns(ctx, before, after);
  tellChecks(ctx, outcome, { compared, captured, cpu, client: grown(0), server: grown(1) });
  ctx.progress(1, 'Done');
}

/** What a device that lacks it costs the lab; packets are captured at the client only. */
const LOSSES: readonly { capability: Capability; roles: readonly string[]; loss: string }[] = [
  { capability: 'tap', roles: ['client'], loss: 'no packets are captured' },
  {
    capability: 'counters',
    roles: ROLES,
    loss: 'retransmissions are unknown',
  },
  {
    capability: 'engineCpu',
    roles: ROLES,
    loss: 'NIC work is not separated from the kernel’s',
  },
];

function noteMissing(ctx: Context, ends: readonly EndpointHandle[]): void {
  for (const end of ends)
    for (const { capability, roles, loss } of LOSSES)
      if (roles.includes(end.name) && !end.has(capability)) {
        const why = end.device.lacks?.find((each) => each.capability === capability);
        ctx.note(
          `${end.device.name} at the ${end.name} does not offer ${CAPABILITY_TEXT[capability]}: ${loss}.` +
            (why ? ` ${why.message} ${why.cure}` : ''),
        );
      }
}

/** The transports take turns, so that what changes on the machine meanwhile meets both. */
async function measureAll(ctx: Context, connection: Connection | null, counters: boolean): Promise<Outcome> {
  const { transport, repeat, omit } = ctx.params;
  const withTcp = transport !== 'rdma';
  const host = withTcp ? await tcpHost(ctx) : '';
  const together = transport === 'both-at-once';
  const turns = repeat * (connection && withTcp && !together ? 2 : 1);
  const whole = roundSeconds(ctx.params) + omit;
  let turn = 0;
  const span = (shown: boolean): Span => {
    const share = (at: number): number => MEASURE_FROM + ((MEASURE_TO - MEASURE_FROM) * at) / turns;
    return { from: share(turn), to: share(turn + 1), after: (turns - turn - 1) * whole, shown };
  };
  const rdma: Measured[] = [];
  const tcp: Measured[] = [];
  for (let round = 1; round <= repeat; round++) {
    const over = connection && rdmaPair(ctx, connection, round, counters);
    const beside = withTcp ? tcpPair(ctx, host, round) : null;
    if (over && beside && together) {
      const [a, b] = await Promise.all([measure(ctx, over, span(true)), measure(ctx, beside, span(false))]);
      rdma.push(a);
      tcp.push(b);
      turn++;
      continue;
    }
    for (const [pair, rounds] of [
      [over, rdma],
      [beside, tcp],
    ] as const)
      if (pair) {
        rounds.push(await measure(ctx, pair, span(true)));
        turn++;
      }
  }
  return { ...(connection ? { rdma } : {}), ...(withTcp ? { tcp } : {}) };
}

/** Which share of the run's progress is measuring. */
const MEASURE_FROM = 0.02;
const MEASURE_TO = 0.92;

const sent = (rounds: readonly Measured[]): number =>
  rounds.reduce((sum, { client }) => sum + client.bytes, 0);

function rdmaPair(ctx: Context, connection: Connection, round: number, counters: boolean): Pair {
  const { params } = ctx;
  const sources = bothSources(ctx, 'rdma', round);
  return {
    transport: 'rdma',
    round,
    server: rdmaTarget(params, connection, sources.server),
    client: () => rdmaInitiator(params, connection, sources.client),
    ...(counters ? { sample: () => readCounters(ctx, 'sample') } : {}),
  };
}

/** TCP goes between the same two addresses as RDMA. */
async function tcpHost(ctx: Context): Promise<string> {
  return addressOfGid((await ctx.endpoint('server').call('query', {})).gid);
}

function tcpPair(ctx: Context, host: string, round: number): Pair {
  const { params } = ctx;
  const sources = bothSources(ctx, 'tcp', round);
  return {
    transport: 'tcp',
    round,
    server: tcpTarget(params, host, sources.server),
    client: (port) => tcpInitiator(params, host, port, sources.client),
  };
}

function bothSources(
  ctx: Context,
  transport: 'rdma' | 'tcp',
  round: number,
): { client: number; server: number } {
  const suffix = ctx.params.repeat > 1 ? `, round ${round}` : '';
  const one = (role: 'client' | 'server'): number =>
    ctx.source(role, {
      transport,
      role,
      what: 'loop',
      label: `${transport.toUpperCase()} at the ${role}${suffix}`,
      round,
    });
  return { client: one('client'), server: one('server') };
}

async function readCounters(ctx: Context, when: 'before' | 'sample' | 'after'): Promise<Counters[]> {
  return Promise.all(ROLES.map(async (role) => (await ctx.endpoint(role).call('counters', { when })).values));
}

function tellOverruns(ctx: Context, before: readonly Counters[], after: readonly Counters[]): void {
  ROLES.forEach((role, side) => {
    const text = overrunText(role, growth(before[side] ?? {}, after[side] ?? {}));
    if (text) ctx.note(text);
  });
}

/** CPU of both endpoint processes so far, s. */
async function processSeconds(ctx: Context): Promise<number> {
  const samples = await Promise.all(ROLES.map((role) => ctx.endpoint(role).call('cpu', {})));
  return samples.reduce((sum, cpu) => sum + (cpu.processUserNs + cpu.processSystemNs) / 1e9, 0);
}

function tellFigures(ctx: Context, { rdma, tcp }: Outcome): void {
  const { params } = ctx;
  const results: { rdma?: TransportResult; tcp?: TransportResult } = {};
  const together = params.transport === 'both-at-once';
  if (rdma) results.rdma = transportResult(rdma, 'rdma', together);
  if (tcp) results.tcp = transportResult(tcp, 'tcp', together);
  for (const transport of ['rdma', 'tcp'] as const) {
    const result = results[transport];
    if (result) ctx.transport(transport, result);
  }
  const findings: Findings = {
    providerClass: ctx.endpoint('client').device.providerClass,
    ...results,
    together,
    polling: params.completionMode === 'poll',
    depth: params.depth,
  };
  ctx.answer(bulkAnswer(findings));
  if ([results.rdma, results.tcp].some((result) => result?.cpuSecondsPerGB?.outside !== undefined))
    ctx.note(OUTSIDE_TEXT);
  ctx.note(bulkFindings(findings).join(' '));
}

interface Evidence {
  compared: { equal: boolean; bytes: number } | null;
  captured: Captured | null;
  cpu: number;
  client: Counters | null;
  server: Counters | null;
}

function tellChecks(ctx: Context, { rdma, tcp }: Outcome, evidence: Evidence): void {
  const { params } = ctx;
  const { compared, captured, cpu, client, server } = evidence;
  const checks = [
    compared && bytesEqual(compared.equal, compared.bytes),
    rdma && completionsMatch(rdma, params.signalEvery),
    rdma && recovered(rdma, client, server),
    captured && packetsConform(captured),
    captured && icrcRight(captured),
    cpuAddsUp(
      [rdma, tcp].flatMap((rounds) => (rounds ?? []).flatMap(({ client, server: end }) => [client, end])),
      cpu,
    ),
    tcp && tcpDelivered(tcp, params.operation, TCP_IN_FLIGHT),
  ];
  const decided = checks.filter((check) => !!check);
  for (const { id, ok, detail } of decided) ctx.check(id, ok, detail);
  for (const { id } of BULK_CHECKS) {
    if (!decided.some((check) => check.id === id)) ctx.doesNotApply(id, whyNot(id, params));
  }
}

/** Why a run that came to its end has nothing for this check. */
function whyNot(id: string, { transport, capturePackets }: BulkParams): string {
  if (id === 'tcp-bytes') return 'TCP was not run.';
  if (transport === 'tcp') return 'RDMA was not run.';
  if (id === 'packets' || id === 'icrc')
    return capturePackets === 0
      ? 'No packets were to be captured.'
      : 'This device does not show its packets.';
  return 'No bytes were moved that could be compared.';
}
