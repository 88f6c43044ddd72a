/** Options of the measuring loops, from the lab's parameters. */
import type { EndpointArgs } from '@verbslab/protocol';
import type { Connection } from './connection.js';
import type { BulkParams } from './params.js';
import { roundSeconds } from './plan.js';

type LoopOptions = EndpointArgs<'loop.start'>;

const TCP_DIRECTION = { write: 'out', send: 'out', read: 'in' } as const;

function timing(params: BulkParams): {
  measure: 'bandwidth';
  size: number;
  wait: 'poll' | 'event';
  omitMs: number;
} {
  return {
    measure: 'bandwidth',
    size: params.size,
    wait: params.completionMode,
    omitMs: params.omit * 1000,
  };
}

export function rdmaTarget(params: BulkParams, { server }: Connection, source: number): LoopOptions {
  return {
    ...timing(params),
    transport: 'rdma',
    role: 'target',
    source,
    op: params.operation,
    qps: [server.qp.qp],
    mr: server.mr.mr,
    ...(params.operation === 'send' ? { rxDepth: server.rxDepth } : {}),
    // The target ends on request, not when the client is between two transfers.
    idleTimeoutMs: 0,
  };
}

export function rdmaInitiator(
  params: BulkParams,
  { client, server }: Connection,
  source: number,
): LoopOptions {
  const { addr, rkey, length } = server.mr;
  return {
    ...timing(params),
    transport: 'rdma',
    role: 'initiator',
    source,
    op: params.operation,
    qps: [client.qp.qp],
    mr: client.mr.mr,
    ...(params.operation === 'send' ? {} : { remote: { addr, rkey, length }, walk: true }),
    durationMs: roundSeconds(params) * 1000,
    txDepth: params.depth,
    cqMod: params.signalEvery,
    records: 'drop',
  };
}

export function tcpTarget(params: BulkParams, host: string, source: number): LoopOptions {
  return {
    ...timing(params),
    // Programs sleep in send and recv; a socket that is spun on would only burn the kernel's time.
    wait: 'event',
    transport: 'tcp',
    role: 'target',
    source,
    host,
    port: 0,
    direction: TCP_DIRECTION[params.operation],
    memory: params.memory,
    idleTimeoutMs: 0,
  };
}

export function tcpInitiator(params: BulkParams, host: string, port: number, source: number): LoopOptions {
  return {
    ...timing(params),
    wait: 'event',
    transport: 'tcp',
    role: 'initiator',
    source,
    host,
    port,
    direction: TCP_DIRECTION[params.operation],
    memory: params.memory,
    durationMs: roundSeconds(params) * 1000,
    ackEvery: params.signalEvery,
    records: 'drop',
  };
}
