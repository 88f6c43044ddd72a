/** Ping-pongs: a message to the server and one back, over sockets or over a connected pair. */
import type { EndpointArgs, EndpointHandle } from '@verbslab/protocol';
import { runBothEnds, type Measured } from './both-ends.js';
import type { Pair } from './pair.js';

/** Carrier of the messages. `host`: the server’s address. */
export type PingPath =
  | { transport: 'udp' | 'tcp'; host: string }
  | { transport: 'rdma'; op: 'send' | 'write'; pair: Pair };

export type PingOptions = Pick<
  EndpointArgs<'loop.start'>,
  'size' | 'wait' | 'iterations' | 'durationMs' | 'omitMs'
>;

/** Measurements of both loops. The client times whole round trips. */
export type PingPong = Measured;

/** RECVs that each end keeps posted: a message must never wait for one. */
export const PING_RECVS = 64;

const CACHE_LINE = 64;

/** Bytes of each end’s region: messages to send in the first half, received ones in the second. */
export const pingMemory = (size: number): number =>
  2 * Math.max(4096, Math.ceil(size / CACHE_LINE) * CACHE_LINE);

/** Fills the messages of each end of a pair: two patterns, so that nothing is equal by accident. */
export async function fillPing({ client, server }: Pair, size: number, seed: number): Promise<void> {
  for (const [{ endpoint, mr }, own] of [
    [client, seed],
    [server, seed + 1],
  ] as const)
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed: own });
}

/** True if each end of a pair holds the last message of the other. */
export async function pingArrived({ client, server }: Pair, size: number): Promise<boolean> {
  const hash = async ({ endpoint, mr }: Pair['client'], half: 0 | 1): Promise<string> =>
    (await endpoint.call('hashMemory', { mr: mr.mr, offset: (half * mr.length) / 2, length: size })).sha256;
  return (
    (await hash(server, 1)) === (await hash(client, 0)) && (await hash(client, 1)) === (await hash(server, 0))
  );
}

/** Ends with `iterations` round trips, or after `durationMs` of them. Throws AppError where a loop fails. */
export async function pingPong(
  ends: { client: EndpointHandle; server: EndpointHandle },
  path: PingPath,
  options: PingOptions,
): Promise<PingPong> {
  const { durationMs: _, omitMs: __, iterations, ...lasting } = options;
  // A datagram that was late is sent twice and answered twice, so only the client can count them.
  const counted = iterations === undefined || path.transport === 'udp' ? {} : { iterations };
  return runBothEnds(ends, (role, port) =>
    loopOf(path, role, role === 'target' ? { ...lasting, ...counted } : options, port),
  );
}

function loopOf(
  path: PingPath,
  role: 'initiator' | 'target',
  options: PingOptions,
  port: number,
): EndpointArgs<'loop.start'> {
  const common = {
    ...options,
    role,
    measure: 'latency' as const,
    source: 0,
    report: false,
    records: 'none' as const,
    // The server ends on request, not when its client starts late.
    ...(role === 'target' ? { idleTimeoutMs: 0 } : {}),
  };
  if (path.transport !== 'rdma') return { ...common, transport: path.transport, host: path.host, port };
  const { client, server } = path.pair;
  const [own, peer] = role === 'initiator' ? [client, server] : [server, client];
  return {
    ...common,
    transport: 'rdma',
    op: path.op,
    qps: [own.qp.qp],
    mr: own.mr.mr,
    rxDepth: PING_RECVS,
    ...(path.op === 'write'
      ? { remote: { addr: peer.mr.addr, rkey: peer.mr.rkey, length: peer.mr.length } }
      : {}),
  };
}
