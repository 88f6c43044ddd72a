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
  growth,
  icrcRight,
  packetsConform,
  recovered,
  tcpDelivered,
  withinDepth,
  type Captured,
  type Counters,
} from './checks.js';
import { connectAroundKernel } from './around-kernel.js';
import { closeAll } from '../endpoints/scope.js';
import { compareMemory, connect, notePinning } from './connection.js';
import { bulkAnswer } from './answer.js';
import { ROLES, cpuAddsUp } from '../load/cpu-seconds.js';
import type { Measured } from '../load/both-ends.js';
import { transportResult } from '../load/transport-result.js';
import { clientCores } from './figures.js';
import { bulkFindings, OUTSIDE_TEXT, overrunText, type Findings } from './findings.js';
import type { BulkParams } from './params.js';
import { TRANSPORTS_OF, type BulkTransport } from './plan.js';
import { cheapest } from './questions.js';
import { measureAll, readCounters, type Connections, type Outcome } from './rounds.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

type Context = LabContext<BulkParams>;

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
    if (connection) await closeAll(connection.client, connection.server);
  }

  const grown = (side: 0 | 1): Counters | null =>
    before && after ? growth(before[side] ?? {}, after[side] ?? {}) : null;
  tellFigures(ctx, connections, outcome);
  if (before && after) tellOverruns(ctx, before, after);
  tellChecks(ctx, outcome, { compared, captured, client: grown(0), server: grown(1) });
  ctx.progress(1, 'Done');
}

const LINKS = ['rdma', 'shm'] as const;

async function connectAll(ctx: Context, wanted: readonly BulkTransport[]): Promise<Connections> {
  const rdma = wanted.includes('rdma') ? await connect(ctx) : null;
  const shm = wanted.includes('shm') ? await connectAroundKernel(ctx) : null;
  const connections = { ...(rdma ? { rdma } : {}), ...(shm ? { shm } : {}) };
  const first = rdma ?? shm;
  if (first) await notePinning(ctx, first.client);
  for (const transport of LINKS) {
    const link = connections[transport]?.link;
    if (link) ctx.emit({ kind: 'link', link, transport });
  }
  return connections;
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

/** Packets have the same form on both links: those that the kernel carries are captured, if they are measured. */
async function captureOne(ctx: Context, { rdma, shm }: Connections): Promise<Captured | null> {
  if (rdma) return capture(ctx, rdma, 'rdma', shm !== undefined);
  return shm ? capture(ctx, shm, 'shm', false) : null;
}

/** Losses of the lab on a device without a capability; packets are captured at the client only. */
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

function tellOverruns(ctx: Context, before: readonly Counters[], after: readonly Counters[]): void {
  ROLES.forEach((role, side) => {
    const text = overrunText(role, growth(before[side] ?? {}, after[side] ?? {}));
    if (text) ctx.note(text);
  });
}

function tellFigures(ctx: Context, connections: Connections, outcome: Outcome): void {
  const { params } = ctx;
  const results: Partial<Record<BulkTransport, TransportResult>> = {};
  const together = params.transport === 'both-at-once';
  for (const transport of TRANSPORTS_OF[params.transport]) {
    const rounds = outcome[transport];
    if (!rounds) continue;
    const result = transportResult(
      rounds,
      transport,
      together,
      transport === 'tcp' ? null : connections[transport]?.link,
    );
    results[transport] = result;
    ctx.transport(transport, result);
  }
  const findings: Findings = {
    providerClass: ctx.endpoint('client').device.providerClass,
    ...results,
    together,
    polling: params.completionMode === 'poll',
    depth: params.depth,
    operation: params.operation,
    clientCores: {
      rdma: outcome.rdma && clientCores(outcome.rdma),
      shm: outcome.shm && clientCores(outcome.shm),
    },
  };
  ctx.answer(bulkAnswer(findings));
  const least = cheapest(findings);
  if (least !== null) ctx.outcome('cheapest', least);
  if (Object.values(results).some((result) => result.cpuSecondsPerGB?.outside !== undefined))
    ctx.note(OUTSIDE_TEXT);
  // Pages show the newest note first.
  for (const paragraph of bulkFindings(findings).reverse()) ctx.note(paragraph);
}

const sent = (rounds: readonly Measured[]): number =>
  rounds.reduce((sum, { client }) => sum + client.bytes, 0);

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
  const overLinks = LINKS.filter((link) => outcome[link]).length;
  const { compared, captured, client, server } = evidence;
  const checks = [
    compared && bytesEqual(compared.equal, compared.bytes, overLinks),
    rdma && completionsMatch(rdma),
    rdma && withinDepth(rdma, params.depth),
    rdma && recovered(rdma, client, server),
    captured && packetsConform(captured),
    captured && icrcRight(captured),
    cpuAddsUp([outcome.rdma ?? [], outcome.shm ?? [], tcp ?? []], params.transport === 'both-at-once'),
    tcp && tcpDelivered(tcp, params.operation),
  ];
  const decided = checks.filter((check) => !!check);
  for (const { id, ok, detail, applies } of decided) {
    if (applies === false) ctx.doesNotApply(id, detail);
    else ctx.check(id, ok, detail);
  }
  for (const { id } of BULK_CHECKS) {
    if (!decided.some((check) => check.id === id)) ctx.doesNotApply(id, whyNot(id, params));
  }
}

/** The reason why a run that came to its end has nothing for this check. */
function whyNot(id: string, { transport, capturePackets }: BulkParams): string {
  if (id === 'tcp-bytes') return 'TCP was not run.';
  if (transport === 'tcp') return 'RDMA was not run.';
  if (id === 'packets' || id === 'icrc')
    return capturePackets === 0 ? 'No packets were to be captured.' : NO_PACKETS;
  return 'No bytes were moved, so there is nothing to compare.';
}
