/** Some of the clients send at once, while the probe makes one small request after the other. */
import { AppError, type EndpointArgs, type EndpointLoopResult } from '@verbslab/protocol';
import { remoteOf } from '../endpoints/side.js';
import { measuredAgain } from '../endpoints/too-busy.js';
import type { Ends, Sender } from './endpoints.js';
import { WARM_UP_MS, type Context } from './params.js';

export interface Measured {
  /** Loops of the clients that sent, in the order of the clients. */
  clients: EndpointLoopResult[];
  probe: EndpointLoopResult;
  /** Requests of the clients that completed, by client, with those that were not measured. */
  completed: number[];
  /** CPUs that the server’s device kept busy; null where it does not report its CPU time. */
  serverCpus: number | null;
  /** Null where a device does not count them. */
  naks: number | null;
  retransmitted: number | null;
  /** Datagrams that the kernel dropped at the server because the buffer of its socket was full. */
  overruns: number | null;
}

type RdmaLoop = Extract<EndpointArgs<'loop.start'>, { transport: 'rdma' }>;

const QUIET = { transport: 'rdma', measure: 'bandwidth', source: 0, report: false, records: 'none' } as const;

function loopOf(
  ctx: Context,
  { server }: Ends,
  sender: Sender,
  op: 'write' | 'send',
  txDepth: number,
): RdmaLoop {
  const { size, slot, qp, mr } = sender;
  return {
    ...QUIET,
    role: 'initiator',
    ...{ op, size, txDepth, cqMod: 1, wait: 'event' },
    ...{ qps: [qp.qp], mr: mr.mr },
    ...(op === 'write' ? { remote: { ...remoteOf(server, slot), length: size } } : {}),
    ...{ durationMs: ctx.params.duration, omitMs: WARM_UP_MS },
  };
}

/**
 * Starts the server’s program, which receives SENDs. Returns a function that stops it and resolves to the bytes that it
 * received.
 */
export async function receive(ctx: Context, { server, clients }: Ends): Promise<() => Promise<number>> {
  const { size, recvs } = ctx.params;
  const { endpoint, mr, qps } = server;
  const { loop } = await endpoint.call('loop.start', {
    ...QUIET,
    role: 'target',
    ...{ op: 'send', size, rxDepth: recvs, wait: 'event', idleTimeoutMs: 0 },
    ...{ qps: qps.slice(0, clients.length), mr: mr.mr },
  });
  return async () => {
    await endpoint.call('loop.stop', { loop });
    const { bytes, error } = await endpoint.call('loop.wait', { loop });
    if (error) throw AppError.from(error);
    return bytes;
  };
}

type Counts = Readonly<Record<string, number>>;

async function countsOf({ endpoint }: Pick<Sender, 'endpoint'>): Promise<Counts> {
  if (!endpoint.has('counters')) return {};
  return (await endpoint.call('counters', { when: 'sample' })).values;
}

/** NIC work of the server’s device so far, ns. */
async function workOf({ server }: Ends): Promise<number | null> {
  const { nicUserNs, nicKernelNs } = await server.endpoint.call('cpu', {});
  return nicUserNs === null ? null : nicUserNs + (nicKernelNs ?? 0);
}

const moved = (before: Counts, after: Counts, name: string): number | null =>
  after[name] === undefined ? null : after[name] - (before[name] ?? 0);

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);

const isEmpty = ({ clients, probe }: Measured): boolean =>
  [...clients, probe].some(({ messages }) => messages === 0);

/** Measures the first `count` clients together with the probe. Throws AppError where a request fails. */
export async function measure(ctx: Context, ends: Ends, count: number): Promise<Measured> {
  const completed = Array<number>(count).fill(0);
  const measured = await measuredAgain(async () => {
    const once = await measureOnce(ctx, ends, count);
    for (const [i, more] of once.completed.entries()) completed[i]! += more;
    return once;
  }, isEmpty);
  return { ...measured, completed };
}

async function measureOnce(ctx: Context, ends: Ends, count: number): Promise<Measured> {
  const { op, window } = ctx.params;
  const senders = ends.clients.slice(0, count);
  const all = [ends.server, ...senders];
  const before = await Promise.all(all.map(countsOf));
  const starting = [
    ...senders.map((one) => ({ one, loop: loopOf(ctx, ends, one, op, window) })),
    { one: ends.probe, loop: loopOf(ctx, ends, ends.probe, 'write', 1) },
  ];
  const loops = await Promise.all(
    starting.map(async ({ one, loop }) => ({ one, ...(await one.endpoint.call('loop.start', loop)) })),
  );
  const [from, workBefore] = [ctx.now(), await workOf(ends)];
  const results = await Promise.all(loops.map(({ one, loop }) => one.endpoint.call('loop.wait', { loop })));
  const [to, workAfter] = [ctx.now(), await workOf(ends)];
  const failed = results.find(({ error }) => error);
  if (failed?.error) throw AppError.from(failed.error);
  const after = await Promise.all(all.map(countsOf));
  const clients = results.slice(0, -1);
  return {
    clients,
    probe: results.at(-1)!,
    completed: clients.map(({ whole }) => whole?.completions ?? 0),
    serverCpus: workBefore === null || workAfter === null ? null : (workAfter - workBefore) / (to - from),
    naks: moved(before[0]!, after[0]!, 'send_rnr_err'),
    overruns: moved(before[0]!, after[0]!, 'udp_receive_overruns'),
    retransmitted: sumOf(senders.map((_, i) => moved(before[i + 1]!, after[i + 1]!, 'retransmitted_pkts'))),
  };
}
