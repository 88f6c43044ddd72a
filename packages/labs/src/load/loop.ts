/** A measuring loop of the client, from start to end. The endpoint’s process takes the times. */
import { AppError, type EndpointArgs, type EndpointLoopResult } from '@verbslab/protocol';
import type { Pair } from './pair.js';
import { measuredAgain } from '../endpoints/too-busy.js';
import { statOf, type Stat } from '../base/sweep.js';

type RdmaLoop = Extract<EndpointArgs<'loop.start'>, { transport: 'rdma' }>;

export type LoadOptions = Pick<
  RdmaLoop,
  | 'size'
  | 'txDepth'
  | 'cqMod'
  | 'postList'
  | 'walk'
  | 'threads'
  | 'inline'
  | 'wait'
  | 'messagesPerSecond'
  | 'iterations'
  | 'durationMs'
  | 'omitMs'
> & {
  op?: 'write' | 'read';
  /** QPs of the client. Default: that of the pair. */
  qps?: readonly number[];
  /** A source of the run, under which each completion is recorded with its time. Default: none is. */
  recordAs?: number;
  /**
   * Set if nothing may complete in the measured time, as packets are lost. By default the loop is then measured again.
   */
  mayBeEmpty?: boolean;
};

/** The server’s program makes no call while a WRITE or READ loop runs. Throws AppError where the loop fails. */
export const bandwidth = (
  pair: Pair,
  { mayBeEmpty = false, ...options }: LoadOptions,
): Promise<EndpointLoopResult> =>
  measuredAgain(
    () => measure(pair, options),
    ({ messages }) => messages === 0 && !mayBeEmpty,
  );

async function measure(
  { client, server }: Pair,
  { op = 'write', qps = [client.qp.qp], recordAs, ...options }: Omit<LoadOptions, 'mayBeEmpty'>,
): Promise<EndpointLoopResult> {
  const { addr, rkey, length } = server.mr;
  const { loop } = await client.endpoint.call('loop.start', {
    transport: 'rdma',
    role: 'initiator',
    measure: 'bandwidth',
    source: recordAs ?? 0,
    report: false,
    records: recordAs === undefined ? 'none' : 'drop',
    op,
    qps: [...qps],
    mr: client.mr.mr,
    remote: { addr, rkey, length },
    ...options,
  });
  const result = await client.endpoint.call('loop.wait', { loop });
  if (result.error) throw AppError.from(result.error);
  return result;
}

/** Messages per second. */
export const messageRate = ({ messages, elapsedNs }: EndpointLoopResult): number =>
  elapsedNs > 0 ? messages / (elapsedNs / 1e9) : NaN;

/** Goodput, Gb/s: 10^9 bits of payload per second. */
export const goodput = ({ bytes, elapsedNs }: EndpointLoopResult): number =>
  elapsedNs > 0 ? (bytes * 8) / elapsedNs : NaN;

/** CPU time of the client’s loop and device threads per message, ns: application, NIC work and kernel together. */
export const cpuPerMessage = ({ cpu, messages }: EndpointLoopResult): number =>
  messages > 0 ? (cpu.appNs + (cpu.nicNs ?? 0) + cpu.kernelNs) / messages : NaN;

/**
 * CPU time per message over the repetitions. On a busy machine a short repetition may move no message: it says nothing
 * about the cost of one.
 */
export const cpuPerMessageOf = (rounds: readonly EndpointLoopResult[]): Stat =>
  statOf(rounds.filter(({ messages }) => messages > 0).map(cpuPerMessage));
