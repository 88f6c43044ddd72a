/** Bulk transfers of a fixed number of messages to the server: a TCP stream, or WRITEs over a connected pair. */
import type { EndpointArgs, EndpointHandle } from '@verbslab/protocol';
import { runBothEnds, type Measured } from './both-ends.js';
import type { Pair } from './pair.js';

/** Carrier of the bytes. `host`: the server’s address. */
export type Route = { transport: 'tcp'; host: string } | { transport: 'rdma'; pair: Pair };

export interface TransferOptions {
  /** Bytes of a message. */
  size: number;
  messages: number;
  /** Bytes of memory that the messages walk through, at both ends. */
  memory: number;
  wait: 'poll' | 'event';
  txDepth: number;
  cqMod: number;
}

/** Time for a server to read the bytes still in its socket’s buffer, ms. */
const LAST_BYTES_MS = 2000;

/** Throws AppError where a loop fails. */
export const transfer = (
  ends: { client: EndpointHandle; server: EndpointHandle },
  route: Route,
  options: TransferOptions,
): Promise<Measured> =>
  runBothEnds(
    ends,
    (role, port) => loopOf(route, role, options, port),
    (loop) =>
      route.transport === 'tcp'
        ? ends.server.call('loop.status', { loop, waitMs: LAST_BYTES_MS })
        : Promise.resolve(),
  );

function loopOf(
  route: Route,
  role: 'initiator' | 'target',
  { size, messages, memory, wait, txDepth, cqMod }: TransferOptions,
  port: number,
): EndpointArgs<'loop.start'> {
  const common = {
    role,
    size,
    measure: 'bandwidth' as const,
    source: 0,
    report: false,
    records: 'none' as const,
    // The server ends on request, not when its client starts late.
    ...(role === 'target' ? { idleTimeoutMs: 0 } : { iterations: messages }),
  };
  if (route.transport === 'tcp')
    // Programs sleep in send and recv. ackEvery 0: no call beside them.
    return { ...common, wait: 'event', transport: 'tcp', host: route.host, port, memory, ackEvery: 0 };
  const { client, server } = route.pair;
  const { mr, qp } = role === 'initiator' ? client : server;
  return {
    ...common,
    wait,
    transport: 'rdma',
    op: 'write',
    qps: [qp.qp],
    mr: mr.mr,
    ...(role === 'initiator'
      ? {
          remote: { addr: server.mr.addr, rkey: server.mr.rkey, length: server.mr.length },
          walk: true,
          txDepth,
          cqMod,
        }
      : {}),
  };
}
