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
import { connectAroundKernel } from './around-kernel.js';
import { compareMemory, connect, disconnect, notePinning, type Connection } from './connection.js';
import { clientCores, transportResult, type Measured } from './figures.js';
import { bulkAnswer, bulkFindings, OUTSIDE_TEXT, overrunText, type Findings } from './findings.js';
import { measure, type Pair, type Span } from './measure.js';
import type { BulkParams } from './params.js';
import { BULK_NAMES, roundSeconds, TRANSPORTS_OF, type BulkTransport } from './plan.js';
import { addressOfGid, rdmaInitiator, rdmaTarget, tcpInitiator, tcpTarget } from './transports.js';

type Context = LabContext<BulkParams>;

const ROLES = ['client', 'server'] as const;

/** The rounds of each transport that ran. */
type Outcome = Partial<Record<BulkTransport, Measured[]>>;

/** Connected queue pairs, for each link that is measured. */
type Connections = Partial<Record<'rdma' | 'shm', Connection>>;

export async function runBulk(ctx: Context): Promise<void> {
  const { params } = ctx;
  const ends = [ctx.endpoint('client'), ctx.endpoint('server')] as const;
  const wanted = TRANSPORTS_OF[params.transport];
  const withRdma = wanted.some((transport) => transport !== 'tcp');
  if (withRdma) noteMissing(ctx, ends);

  ctx.progress(0, 'Setting up');
  const connections = await connectAll(ctx, wanted);
  const counters = withRdma && ends.every((end) => end.has('counters'));
  const before = counters ? await readCounters(ctx, 'before') : null;
  const outcome = await measureAll(ctx, connections, counters).catch(async (error: unknown) => {
    // Counters that cannot be read either leave the error as it is.
    const now = before ? await readCounters(ctx, 'after').catch(() => null) : null;
    if (before && now) tellOverruns(ctx, before, now);
    throw error;
  });
  const after = counters ? await readCounters(ctx, 'after') : null;

  ctx.progress(0.95, 'Checking');
  const compared = await compareAll(params, connections, outcome);
  const captured =
    params.capturePackets > 0 && ends[0].has('tap') ? await captureOne(ctx, connections) : null;
  ctx.draining();
  for (const link of LINKS) {
    const connection = connections[link];
    if (connection) await disconnect(connection);
  }

  const grown = (side: 0 | 1): Counters | null =>
    before && after ? growth(before[side] ?? {}, after[side] ?? {}) : null;
  tellFigures(ctx, outcome);
  if (before && after) tellOverruns(ctx, before, after);
  tellChecks(ctx, outcome, { compared, captured, client: grown(0), server: grown(1) });
  ctx.progress(1, 'Done');
}

const LINKS = ['rdma', 'shm'] as const;

async function connectAll(ctx: Context, wanted: readonly BulkTransport[]): Promise<Connections> {
  const rdma = wanted.includes('rdma') ? await connect(ctx) : null;
  const shm = wanted.includes('shm') ? await connectAroundKernel(ctx) : null;
  const first = rdma ?? shm;
  if (first) await notePinning(ctx, first.client);
  return { ...(rdma ? { rdma } : {}), ...(shm ? { shm } : {}) };
}

async function compareAll(
  params: BulkParams,
  connections: Connections,
  outcome: Outcome,
): Promise<{ equal: boolean; bytes: number } | null> {
  const each: { equal: boolean; bytes: number }[] = [];
  for (const link of LINKS) {
    const [connection, rounds] = [connections[link], outcome[link]];
    if (connection && rounds) each.push(await compareMemory(connection, params, sent(rounds)));
  }
  if (each.length === 0) return null;
  return {
    equal: each.every(({ equal }) => equal),
    bytes: each.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The packets are the same on both links: those that the kernel carries are captured, if they are measured. */
async function captureOne(ctx: Context, { rdma, shm }: Connections): Promise<Captured | null> {
  if (rdma) return capture(ctx, rdma, 'rdma');
  return shm ? capture(ctx, shm, 'shm') : null;
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
async function measureAll(ctx: Context, connections: Connections, counters: boolean): Promise<Outcome> {
  const { transport, repeat, omit } = ctx.params;
  const running = TRANSPORTS_OF[transport].filter((each) => each === 'tcp' || connections[each]);
  const withTcp = running.includes('tcp');
  const host = withTcp ? await tcpHost(ctx) : '';
  const together = transport === 'both-at-once';
  const turns = repeat * (together ? 1 : running.length);
  const whole = roundSeconds(ctx.params) + omit;
  let turn = 0;
  const span = (shown: boolean): Span => {
    const share = (at: number): number => MEASURE_FROM + ((MEASURE_TO - MEASURE_FROM) * at) / turns;
    return { from: share(turn), to: share(turn + 1), after: (turns - turn - 1) * whole, shown };
  };
  const outcome: Outcome = Object.fromEntries(running.map((each) => [each, []]));
  for (let round = 1; round <= repeat; round++) {
    const pairs = running.flatMap((each) => pairOf(ctx, each, connections, host, round, counters));
    const turnsOf = together ? [pairs] : pairs.map((pair) => [pair]);
    for (const pairsAtOnce of turnsOf) {
      await Promise.all(
        pairsAtOnce.map(async (pair, i) => {
          const measured = await measure(ctx, pair, span(i === 0));
          outcome[pair.transport]?.push(measured);
        }),
      );
      turn++;
    }
  }
  return outcome;
}

function pairOf(
  ctx: Context,
  transport: BulkTransport,
  connections: Connections,
  host: string,
  round: number,
  counters: boolean,
): Pair[] {
  if (transport === 'tcp') return [tcpPair(ctx, host, round)];
  const connection = connections[transport];
  return connection ? [rdmaPair(ctx, transport, connection, round, counters)] : [];
}

/** Which share of the run's progress is measuring. */
const MEASURE_FROM = 0.02;
const MEASURE_TO = 0.92;

const sent = (rounds: readonly Measured[]): number =>
  rounds.reduce((sum, { client }) => sum + client.bytes, 0);

function rdmaPair(
  ctx: Context,
  transport: 'rdma' | 'shm',
  connection: Connection,
  round: number,
  counters: boolean,
): Pair {
  const { params } = ctx;
  const sources = bothSources(ctx, transport, round);
  return {
    transport,
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
  transport: BulkTransport,
  round: number,
): { client: number; server: number } {
  const suffix = ctx.params.repeat > 1 ? `, round ${round}` : '';
  const one = (role: 'client' | 'server'): number =>
    ctx.source(role, {
      transport,
      role,
      what: 'loop',
      label: `${BULK_NAMES[transport]} at the ${role}${suffix}`,
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

function tellFigures(ctx: Context, outcome: Outcome): void {
  const { params } = ctx;
  const results: Partial<Record<BulkTransport, TransportResult>> = {};
  const together = params.transport === 'both-at-once';
  for (const transport of TRANSPORTS_OF[params.transport]) {
    const rounds = outcome[transport];
    if (!rounds) continue;
    const result = transportResult(rounds, transport, together);
    results[transport] = result;
    ctx.transport(transport, result);
  }
  const driven = outcome.rdma ?? outcome.shm;
  const findings: Findings = {
    providerClass: ctx.endpoint('client').device.providerClass,
    ...results,
    together,
    polling: params.completionMode === 'poll',
    depth: params.depth,
    operation: params.operation,
    clientCores: driven ? clientCores(driven) : null,
  };
  ctx.answer(bulkAnswer(findings));
  if (Object.values(results).some((result) => result.cpuSecondsPerGB?.outside !== undefined))
    ctx.note(OUTSIDE_TEXT);
  // Pages show the newest note first.
  for (const paragraph of bulkFindings(findings).reverse()) ctx.note(paragraph);
}

interface Evidence {
  compared: { equal: boolean; bytes: number } | null;
  captured: Captured | null;
  client: Counters | null;
  server: Counters | null;
}

function tellChecks(ctx: Context, outcome: Outcome, evidence: Evidence): void {
  const { params } = ctx;
  const { tcp } = outcome;
  const overVerbs = LINKS.flatMap((link) => outcome[link] ?? []);
  const rdma = overVerbs.length > 0 ? overVerbs : undefined;
  const { compared, captured, client, server } = evidence;
  const checks = [
    compared && bytesEqual(compared.equal, compared.bytes),
    rdma && completionsMatch(rdma),
    rdma && recovered(rdma, client, server),
    captured && packetsConform(captured),
    captured && icrcRight(captured),
    cpuAddsUp([outcome.rdma ?? [], outcome.shm ?? [], tcp ?? []], params.transport === 'both-at-once'),
    tcp && tcpDelivered(tcp, params.operation),
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
